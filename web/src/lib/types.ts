// Short names of what the server says. The types themselves are made from its description (`openapi.json`) when the page is built.

import type { components } from './api-types';

type Schemas = components['schemas'];

/** A text in every language. */
export type Text = Schemas['Text'];
export type Seat = Schemas['Seat'];
export type Cell = Schemas['Cell'];
export type Edge = Schemas['Edge'];
export type Shape = Schemas['Shape'];
export type Piece = Schemas['Piece'];
export type Grid = Schemas['Grid'];
export type Place = Schemas['Place'];
export type Touch = Schemas['Touch'];
export type Meaning = Schemas['Meaning'];
export type Mark = Schemas['Mark'];
export type Reserve = Schemas['Reserve'];
export type Gesture = Schemas['Gesture'];
export type Scene = Schemas['Scene'];
export type PaletteItem = Schemas['PaletteItem'];
export type Counter = Schemas['Counter'];
export type Palette = Schemas['Palette'];
export type Draft = Schemas['Draft'];
export type DraftAnswer = Schemas['DraftInfo'];
export type Preset = Schemas['PresetInfo'];
export type Facts = Schemas['Facts'];
export type Candidate = Schemas['CandidateInfo'];
export type Opinion = Schemas['OpinionInfo'];
export type Table = Schemas['TableInfo'];
export type Ply = Schemas['PlyInfo'];
export type Look = Schemas['Look'];
export type Subject = Schemas['Subject'];
export type ErrorBody = Schemas['ErrorBody'];
/** A line of a value graph. */
export type GraphPoint = Schemas['GraphPoint'];
/** An opinion on its way, or the last one. */
export type ThoughtLine = Exclude<Schemas['ThoughtLine'], ErrorBody>;
export type Answer = Schemas['Answer'];
export type AnswerMove = Schemas['AnswerMove'];
/** What a survey says, with its marks. */
export type SurveyFacts = Schemas['SurveyFacts'] & Pick<Schemas['SurveyInfo'], 'marks'>;
export type SurveyInfo = Schemas['SurveyInfo'];
export type GameInfo = Schemas['GameInfo'];
export type Catalogue = Schemas['Catalogue'];
export type LiveMessage = Schemas['LiveMessage'];
/** A number of 64 bits, more than the page can count: it is a text. */
export type Wide = Schemas['Wide'];
export type Param = Schemas['ParamInfo'];
export type Listing = Schemas['ListingInfo'];
export type Ghost = Schemas['GhostInfo'];
export type Outcome = Schemas['Outcome'];
export type Control = Schemas['Control'];
export type NewTable = Schemas['NewTable'];
export type TableSummary = Schemas['TableSummary'];
export type Worth = Schemas['Worth'];
export type Legality = Schemas['MoveLegality'];
export type Review = Schemas['Review'];
export type Imported = Schemas['ImportInfo'];
export type JobRequest = Schemas['Request'];
export type Scale = Schemas['Scale'];
export type TournamentResult = Schemas['TournamentResult'];
export type Tie = Schemas['Tie'];
export type Job = Schemas['JobInfo'];
export type Model = Schemas['ModelInfo'];
export type EvaluationResult = Schemas['EvaluationResult'];
export type EvaluationFigure = Schemas['EvaluationFigure'];
export type KeyedMove = Schemas['KeyedMove'];
export type Artefact = Schemas['ArtefactInfo'];
export type Paper = Schemas['PaperInfo'];
export type PaperNumber = Schemas['PaperNumber'];
export type PaperDetail = Schemas['PaperDetail'];
export type GameRecord = Schemas['GameRecord'];
