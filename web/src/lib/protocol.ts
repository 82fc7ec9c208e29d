// The shapes of docs/protocol.md. Law: nothing here that is not there.

export type Seat = 'first' | 'second';

/** A number that may have 64 bits; a text where it is larger than the page can count. */
export type Whole = number | string;

export interface Param {
  name: string;
  kind: 'whole' | 'real' | 'time' | 'word' | 'words' | 'widths' | 'model';
  min?: number;
  max?: number;
  max_seconds?: number;
  words?: string[];
  expected?: string;
  default: string | null;
  help: string;
}

export interface Listing {
  name: string;
  summary: string;
  params: Param[];
}

export interface GameInfo extends Listing {
  seats: number;
  seat_names: string[];
  opponent: string;
  analyst: string;
  players: Listing[];
  evaluators: Listing[];
  methods: Listing[];
  solvable: boolean;
  surveyed: boolean;
  reviewed: boolean;
  formats: string[];
}

export interface Catalogue {
  version: string;
  threads: number;
  games: GameInfo[];
}

export interface Outcome {
  winner: Seat | null;
  words: string;
  reason: string | null;
}

export interface Facts {
  check?: boolean;
  captured?: { first: string; second: string };
  score?: number;
  highest_score?: number;
  needs_guess?: boolean;
  rows?: number;
  cols?: number;
  mines?: number;
  unflagged?: number;
  laid?: string[];
}

export interface Candidate {
  move: string;
  squares?: string;
  value: number;
  certain: string | null;
  weight: number;
  line: string[];
}

export interface Opinion {
  player: string;
  ply?: number;
  best: string;
  value: number | null;
  candidates: Candidate[];
  depth: number;
  nodes: number;
  seconds: number;
}

/** Seconds at the start, and those added after each move. */
export interface Control {
  seconds: number;
  increment: number;
}

export interface TableSummary {
  id: string;
  rev: number;
  game: string;
  name: string;
  seats: string[];
  ply: number;
  to_move: Seat;
  outcome: Outcome | null;
  created: number;
  updated: number;
}

export interface Table extends TableSummary {
  seat_names: string[];
  start: string | null;
  position: string;
  moves: string[];
  squares?: string[];
  redo: string[];
  legal: string[];
  legal_squares?: string[];
  thinking: { seat: Seat; player: string; began: number; so_far: Opinion | null } | null;
  paused: boolean;
  opinion: Opinion | null;
  trouble: string | null;
  facts: Facts;
  clocks: number[];
  control: Control | null;
  left: number[] | null;
  ticking: number | null;
}

export interface Ply {
  ply: number;
  position: string;
  to_move: Seat;
  move: string | null;
  squares?: string;
  outcome: Outcome | null;
  facts: Facts;
}

export type Subject =
  | { table: string; ply?: number }
  | { game: string; position?: string; moves?: string[] }
  | { game: string; setup: Whole; moves?: string[] };

export interface Look {
  position: string;
  to_move: Seat;
  legal: string[];
  legal_squares?: string[];
  outcome: Outcome | null;
  facts: Facts;
  moves: string[];
  squares?: string[];
}

export interface SurveyFacts {
  probability: (number | null)[];
  safe: string[];
  mined: string[];
  off_frontier: number | null;
  log10_solutions: number;
  solutions: string | null;
  dead: string[];
  guesses: { cells: string[]; best: string; chance: number }[];
  win_chance: Record<string, number> | null;
  why: Record<string, string[]>;
  proof: Record<string, { numbers: string[]; mines: boolean }>;
}

export type Worth = 'win' | 'loss' | 'draw' | number;

export interface Answer {
  value: Worth;
  distance: number | null;
  moves: { move: string; value: Worth; distance: number | null }[];
  line: string[];
}

export interface ReviewedMove {
  move: string;
  verdict: string;
  words: string;
}

export interface Review {
  verdict: string;
  words: string;
  moves: ReviewedMove[];
}

export interface Imported {
  game: string;
  position: string | null;
  moves: string[];
  players: string[];
  seed: Whole | null;
}

export type JobRequest =
  | { kind: 'training'; game: string; method: string; seed: number }
  | { kind: 'tournament'; game: string; players: string[]; games: number; random_plies: number; seed: number }
  | { kind: 'paper'; artefact: string; scale: Scale; seed: number };

export type Scale = 'smoke' | 'desk' | 'full';

export interface TournamentResult {
  players: string[];
  pairs: { first: number; second: number; wins: number; draws: number; losses: number }[];
  ratings: {
    player: number;
    points: number;
    games?: number;
    elo?: number | null;
    elo_low?: number | null;
    elo_high?: number | null;
    share?: number;
    share_low?: number;
    share_high?: number;
  }[];
}

export interface Job {
  id: string;
  rev: number;
  kind: JobRequest['kind'];
  title: string;
  request: JobRequest;
  state: 'queued' | 'running' | 'paused' | 'stopped' | 'finished' | 'failed';
  progress: { task: string; done: number; total: number; unit: string } | null;
  rate: number | null;
  left: number | null;
  seconds: number;
  records: number;
  can: ('pause' | 'resume' | 'stop')[];
  error: string | null;
  result?: unknown;
  model: string | null;
  created: number;
  updated: number;
}

export interface Model {
  id: string;
  title: string;
  game: string;
  method: string;
  state: string;
  updated: number;
  players: string[];
}

export interface Artefact {
  id: string;
  title: string;
  badge: 'reproduced' | 'differs' | 'measured' | 'not-run';
  reproduced: number;
  total: number;
  command: string;
}

export interface Paper {
  slug: string;
  title: string;
  reference: string;
  artefacts: Artefact[];
}

export interface GameRecord {
  game: string;
  players: string[];
  seed: Whole;
  index: number;
  setup: Whole;
  moves: string[];
  outcome: Seat | 'draw';
  plies: number;
}

export type LiveMessage =
  | { topic: string; table: Table }
  | { topic: string; jobs: Job[] }
  | { topic: string; job: Job; from: number; records?: Record<string, unknown>[] }
  | { topic: string; error: { code: string; message: string } };
