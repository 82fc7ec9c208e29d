// Finds what can be drawn in the records of a training: every number that changes, by its name.

type Rec = Record<string, unknown>;

/** What only counts the records is an axis, not a curve. */
const COUNTERS = new Set(['index', 'step', 'seed', 'epoch', 'iteration', 'record', 'games', 'samples', 'positions']);

/** The numbers of a record; those of objects inside it are named `outer.inner`. */
export function numbers(record: Rec, prefix = ''): [string, number][] {
  return Object.entries(record).flatMap(([key, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + key, value]];
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return numbers(value as Rec, `${prefix}${key}.`);
    return [];
  });
}

/** The curves of a run, in the order in which their names first occur. */
export function curves(records: Rec[]): Map<string, (number | null)[]> {
  const found = new Map<string, (number | null)[]>();
  records.forEach((record, index) => {
    for (const [name, value] of numbers(record)) {
      const list = found.get(name) ?? Array<number | null>(records.length).fill(null);
      list[index] = value;
      found.set(name, list);
    }
  });
  for (const name of [...found.keys()]) if (COUNTERS.has(name)) found.delete(name);
  return found;
}
