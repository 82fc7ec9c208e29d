// Keeps the identity of pieces from one position to the next, so that they can be seen to move.
// Law: it compares pictures and knows no rule; where it cannot tell, pieces vanish and appear.

export interface Tracked<K> {
  id: number;
  kind: K;
  column: number;
  row: number;
}

type Placed<K> = Omit<Tracked<K>, 'id'>;

const apart = (a: Placed<unknown>, b: Placed<unknown>) => Math.hypot(a.column - b.column, a.row - b.row);

/** Names the pieces of the next picture by those of the one before. */
export function track<K>(before: Tracked<K>[], next: Placed<K>[], fresh: () => number): Tracked<K>[] {
  const left = new Set(before);
  const named: (Tracked<K> | null)[] = next.map((piece) => {
    const same = before.find((old) => left.has(old) && old.kind === piece.kind && apart(old, piece) === 0);
    if (same) left.delete(same);
    return same ? { ...same } : null;
  });
  return next.map((piece, index) => {
    const known = named[index];
    if (known) return known;
    let nearest: Tracked<K> | null = null;
    for (const old of left) {
      if (old.kind === piece.kind && (!nearest || apart(old, piece) < apart(nearest, piece))) nearest = old;
    }
    if (nearest) left.delete(nearest);
    return { ...piece, id: nearest ? nearest.id : fresh() };
  });
}
