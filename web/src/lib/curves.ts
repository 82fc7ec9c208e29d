// Finds what can be drawn in the records of a training. A curve runs over what was learnt from, so that runs that measure
// more or less often can be compared.

type Rec = Record<string, unknown>;

/** What counts the work is the axis, the first that there is; what only counts is no curve. */
const AXES = ['games', 'samples', 'iteration', 'epoch', 'batch'];
const COUNTERS = new Set([...AXES, 'index', 'step', 'seed', 'record', 'positions', 'problems']);

export interface Curve {
  name: string;
  xs: number[];
  ys: (number | null)[];
  /** The ends of an interval around it, where the records have them. */
  low?: (number | null)[];
  high?: (number | null)[];
}

export interface Run {
  /** What the curves run over: the name of a counter, or nothing if records are only counted. */
  axis: string | null;
  curves: Map<string, Curve>;
}

/** The numbers of a record; those of objects inside it are named `outer.inner`. */
export function numbers(record: Rec, prefix = ''): [string, number][] {
  return Object.entries(record).flatMap(([key, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + key, value]];
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return numbers(value as Rec, `${prefix}${key}.`);
    return [];
  });
}

const END = /_(low|high)$/;
/** Whether a number is an end of the interval around another one. */
const isEnd = (name: string, all: { has(name: string): boolean }) => END.test(name) && all.has(name.replace(END, ''));

/** A number with the ends of the interval around it, where there is one. */
export interface Measured {
  name: string;
  value: number;
  interval?: [number, number];
}

/** The numbers of a record, each with its interval. */
export function measured(record: Rec): Measured[] {
  const found = new Map(numbers(record));
  return [...found].flatMap(([name, value]) => {
    const [low, high] = [found.get(`${name}_low`), found.get(`${name}_high`)];
    if (isEnd(name, found)) return [];
    return low !== undefined && high !== undefined ? [{ name, value, interval: [low, high] as [number, number] }] : [{ name, value }];
  });
}

/** An axis has to grow from record to record. */
function axisOf(records: Rec[]): string | null {
  const grows = (name: string) =>
    records.every((record, index) => {
      const [before, now] = [records[index - 1]?.[name], record[name]];
      return typeof now === 'number' && (before === undefined || now > (before as number));
    });
  return AXES.find(grows) ?? null;
}

/** The curves of a run, in the order in which their names first occur; ends of intervals are with their curve. */
export function readRun(records: Rec[]): Run {
  const axis = records.length > 0 ? axisOf(records) : null;
  const xs = records.map((record, index) => (axis === null ? index + 1 : (record[axis] as number)));
  const found = new Map<string, (number | null)[]>();
  records.forEach((record, index) => {
    for (const [name, value] of numbers(record)) {
      const list = found.get(name) ?? Array<number | null>(records.length).fill(null);
      list[index] = value;
      found.set(name, list);
    }
  });
  const curves = new Map<string, Curve>();
  for (const [name, ys] of found) {
    if (COUNTERS.has(name.split('.').at(-1) ?? '') || isEnd(name, found)) continue;
    const [low, high] = [found.get(`${name}_low`), found.get(`${name}_high`)];
    curves.set(name, low && high ? { name, xs, ys, low, high } : { name, xs, ys });
  }
  return { axis, curves };
}

/** The curves that say how well it goes, the most telling first; the others only say what happened. */
const TELLING = ['exam.share', 'network_exam.share', 'elo', 'check.score', 'loss', 'policy_loss', 'value_loss', 'test_accuracy', 'training_accuracy', 'error_on_frontier', 'safe_cell_missed'];

export function isTelling(name: string): boolean {
  return TELLING.includes(name);
}

/** The telling curves first, then the others as they come. */
export function inOrder(names: Iterable<string>): string[] {
  const all = [...names];
  return [...TELLING.filter((name) => all.includes(name)), ...all.filter((name) => !TELLING.includes(name))];
}
