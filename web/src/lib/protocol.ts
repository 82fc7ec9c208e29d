// The shapes of docs/protocol.md. Law: nothing here that is not there.

export type Seat = 'first' | 'second';

/** A number of 64 bits, more than the page can count: it is a text. */
export type Wide = string;

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
  ghosts?: Ghost[];
}

/** A published number that a curve of a training can be held against. */
export interface Ghost {
  curve: string;
  value: number;
  source: string;
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
  formats: string[];
}

export interface Catalogue {
  version: string;
  threads: number;
  largest_network: number;
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
  | { game: string; setup: Wide; moves?: string[] };

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
  seed: Wide | null;
}

export type JobRequest =
  | { kind: 'training'; game: string; method: string; seed: Wide }
  | { kind: 'tournament'; game: string; players: string[]; games: number; random_plies: number; seed: Wide; knockout?: number }
  | { kind: 'paper'; artefact: string; scale: Scale; seed: Wide }
  | { kind: 'network'; game: string; name: string };

export type Scale = 'smoke' | 'desk' | 'full';

/** A pairing of a final: players by their places in the list, fewer than two while a pairing before is open. */
export interface Tie {
  players: number[];
  legs: { game: string; random_plies: number; wins: [number, number]; draws: number }[];
  winner: number | null;
  settled_by: 'games' | 'points' | 'preselection' | null;
}

export interface TournamentResult {
  bracket?: { ranking: { player: number; wins: number; points: number }[]; rounds: Tie[][] };
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
  method: string | null;
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

export interface PaperNumber {
  name: string;
  unit: string;
  ours: number;
  interval: { low: number; high: number };
  n: number;
  published?: number;
  difference?: number;
  verdict?: 'reproduced' | 'differs';
}

export interface PaperDetail extends Paper {
  artefacts: (Artefact & { numbers: PaperNumber[]; recorded: boolean })[];
}

export interface GameRecord {
  game: string;
  players: string[];
  seed: Wide;
  index: number;
  setup: Wide;
  moves: string[];
  outcome: Seat | 'draw';
  plies: number;
}

export type LiveMessage =
  | { topic: string; now: number }
  | { topic: string; table: Table }
  | { topic: string; jobs: Job[] }
  | { topic: string; job: Job; from: number; records?: Record<string, unknown>[] }
  | { topic: string; error: { code: string; message: string } };
