// Short names of what the server says. The types themselves are made from its description (`openapi.json`) when the page is built.

import type { components } from './api-types';

type Schemas = components['schemas'];

export type {
  Answer, AnswerMove, Candidate, Catalogue, Cell, Counter, Draft, DraftAnswer, Edge, Facts, GameInfo, Gesture, Grid, LiveMessage, Look, Mark,
  Meaning, Opinion, Palette, PaletteItem, Piece, Place, Ply, Preset, Reserve, Scene, Seat, Shape, Subject, SurveyFacts, Table, Touch,
} from './scene-types';

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
export type Legality = Schemas['Legality'];
export type Review = Schemas['Review'];
export type Imported = Schemas['ImportInfo'];
export type JobRequest = Schemas['Request'];
export type Scale = Schemas['Scale'];
export type TournamentResult = Schemas['TournamentResult'];
export type Tie = Schemas['Tie'];
export type Job = Schemas['JobInfo'];
export type Model = Schemas['ModelInfo'];
export type Artefact = Schemas['ArtefactInfo'];
export type Paper = Schemas['PaperInfo'];
export type PaperNumber = Schemas['PaperNumber'];
export type PaperDetail = Schemas['PaperDetail'];
export type GameRecord = Schemas['GameRecord'];
