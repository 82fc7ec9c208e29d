// Asks the server. Every refusal becomes a `Refusal`, which has one sentence for people if the server said one.

import type {
  Answer, Catalogue, Draft, DraftAnswer, ErrorBody, GameInfo, GameRecord, GraphPoint, Imported, Job, JobRequest, Legality, Look, Model, NewTable, Opinion, Paper,
  PaperDetail, Ply, Review, Scale, Subject, SurveyFacts, SurveyInfo, Table, TableSummary, Text, ThoughtLine, Touch,
} from './types';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly text: Text | null,
  ) {
    super(text?.en ?? code);
  }
}

/** Whether the request was given up on purpose. */
export const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Refusal(0, 'offline', null);
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const said = (body as Partial<ErrorBody> | null)?.error;
  throw new Refusal(response.status, said?.code ?? 'failed', said?.message ?? null);
}

async function get<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  if (signal) init.signal = signal;
  return (await (await request(path, init)).json()) as T;
}

const drop = async (path: string) => void (await request(path, { method: 'DELETE' }));
const table = (id: string, act = '') => `/api/tables/${encodeURIComponent(id)}${act}`;
const job = (id: string, act = '') => `/api/jobs/${encodeURIComponent(id)}${act}`;

export const api = {
  catalogue: () => get<Catalogue>('/api/catalogue'),
  /** A game with what one of its boards offers. */
  board: (game: string) => get<GameInfo>(`/api/board?game=${encodeURIComponent(game)}`),

  newTable: (wish: NewTable) => post<Table>('/api/tables', wish),
  tables: async (limit = 30) => (await get<{ tables: TableSummary[] }>(`/api/tables?limit=${limit}`)).tables,
  table: (id: string) => get<Table>(table(id)),
  dropTable: (id: string) => drop(table(id)),
  move: (id: string, move: string, ply: number) => post<Table>(table(id, '/move'), { move, ply }),
  /** Why touches are no legal move. */
  why: (id: string, touches: Touch[]) => get<Legality>(table(id, `/why?touches=${encodeURIComponent(JSON.stringify(touches))}`)),
  /** Plays touches that the scene does not list as a move and that are one after all. */
  attempt: (id: string, touches: Touch[], ply: number) => post<Table>(table(id, '/move'), { touches, ply }),
  act: (id: string, act: 'undo' | 'redo' | 'stop' | 'hurry' | 'resign') => post<Table>(table(id, `/${act}`)),
  go: (id: string, ply?: number) => post<Table>(table(id, '/go'), ply === undefined ? {} : { ply }),
  seats: (id: string, seats: string[]) => post<Table>(table(id, '/seats'), { seats }),
  hint: (id: string, signal?: AbortSignal) => post<Opinion>(table(id, '/hint'), {}, signal),
  plies: async (id: string) => (await get<{ plies: Ply[] }>(table(id, '/plies'))).plies,
  exportPath: (id: string, format: string) => table(id, `/export?format=${encodeURIComponent(format)}`),
  importText: (text: string, game?: string) => post<Imported>('/api/import', game ? { text, game } : { text }),

  draft: (game: string, draft: Draft, signal?: AbortSignal) => post<DraftAnswer>('/api/draft', { game, draft }, signal),
  look: (subject: Subject, signal?: AbortSignal) => post<Look>('/api/look', subject, signal),
  thoughts,
  survey: async (subject: Subject, signal?: AbortSignal): Promise<SurveyFacts> => {
    const { facts, marks } = await post<SurveyInfo>('/api/survey', subject, signal);
    return { ...facts, marks };
  },
  solve: (subject: Subject, signal?: AbortSignal) => post<Answer>('/api/solve', subject, signal),
  review: (id: string, signal?: AbortSignal) => post<Review>('/api/review', { table: id }, signal),
  graph,

  jobs: async (kind: JobRequest['kind']) => (await get<{ jobs: Job[] }>(`/api/jobs?kind=${kind}`)).jobs,
  newJob: (wish: JobRequest) => post<Job>('/api/jobs', wish),
  jobAct: (id: string, act: 'pause' | 'resume' | 'stop') => post<Job>(job(id, `/${act}`)),
  dropJob: (id: string) => drop(job(id)),
  productPath: (id: string) => job(id, '/product'),
  gamesPath: (id: string, format: string) => job(id, `/export?format=${encodeURIComponent(format)}`),
  sample: (id: string, signal?: AbortSignal) => post<{ player: string; record: GameRecord }>(job(id, '/sample'), {}, signal),
  bring,
  /** All networks, or those that can play on a board. */
  models: async (board?: string) =>
    (await get<{ models: Model[] }>(`/api/models${board ? `?board=${encodeURIComponent(board)}` : ''}`)).models,

  papers: (scale: Scale) => get<{ scale: Scale; papers: Paper[] }>(`/api/papers?scale=${scale}`),
  paper: (slug: string, scale: Scale) => get<PaperDetail>(`/api/papers/${encodeURIComponent(slug)}?scale=${scale}`),
  recordsPath: (artefact: string, scale: Scale) =>
    `/api/papers/${artefact.split('/').map(encodeURIComponent).join('/')}/records?scale=${scale}`,
  report: async (slug: string, scale: Scale) => (await request(`/api/papers/${encodeURIComponent(slug)}/report?scale=${scale}`)).text(),
};

/** Brings the file of a network here. */
async function bring(game: string, file: File): Promise<Job> {
  const query = new URLSearchParams({ game, name: file.name });
  const init: RequestInit = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file };
  return (await (await request(`/api/models?${query}`, init)).json()) as Job;
}

/** Hands over the value of every position as it is found. */
function graph(subject: Subject, player: string, found: (ply: number, value: number | null) => void, signal: AbortSignal): Promise<void> {
  return lines<GraphPoint>('/api/graph', { ...subject, player }, (point) => found(point.ply, point.first_value), signal);
}

/** A player's opinion; what it thinks meanwhile is handed over as it grows. */
async function thoughts(subject: Subject, player: string, soFar: (opinion: Opinion) => void, signal: AbortSignal): Promise<Opinion> {
  let conclusion: Opinion | null = null;
  await lines<ThoughtLine>('/api/thoughts', { ...subject, player }, ({ opinion, final }) => {
    if (final) conclusion = opinion;
    else soFar(opinion);
  }, signal);
  if (conclusion === null) throw new Refusal(0, 'offline', null);
  return conclusion;
}

/** Reads an answer that comes line by line. */
async function lines<T extends object>(path: string, body: unknown, found: (line: T) => void, signal: AbortSignal): Promise<void> {
  const init: RequestInit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal };
  const response = await request(path, init);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const whole = (rest + value).split('\n');
    rest = whole.pop() ?? '';
    for (const text of whole.filter((one) => one.trim() !== '')) {
      const line = JSON.parse(text) as T | ErrorBody;
      if ('error' in line) throw new Refusal(500, line.error.code, line.error.message);
      found(line);
    }
  }
}
