// Reads Push-over's positions and letters, to draw them: `+ooo...+...o....Eo`.

export interface Scene {
  size: number;
  cells: string[];
  last: string | null;
  mover: 'o' | '+';
}

export function readScene(position: string): Scene | null {
  const present = position.trim().split('>').at(-1) ?? '';
  const size = Math.sqrt(present.length - 2);
  if (!Number.isInteger(size) || size < 2) return null;
  const letter = present[size * size] ?? '-';
  return {
    size,
    cells: [...present.slice(0, size * size)],
    last: letter === '-' ? null : letter,
    mover: present.at(-1) === 'o' ? 'o' : '+',
  };
}

export interface Entry {
  letter: string;
  /** Where the letter stands: beside the board, one cell outside. */
  column: number;
  row: number;
  /** The way it pushes. */
  dx: number;
  dy: number;
}

/** The letters around the board. */
export function entries(size: number): Entry[] {
  return Array.from({ length: 4 * size }, (_, index) => {
    const letter = String.fromCharCode(65 + index);
    const line = index % size;
    switch (Math.floor(index / size)) {
      case 0:
        return { letter, column: -1, row: line, dx: 1, dy: 0 };
      case 1:
        return { letter, column: size, row: line, dx: -1, dy: 0 };
      case 2:
        return { letter, column: line, row: -1, dx: 0, dy: 1 };
      default:
        return { letter, column: line, row: size, dx: 0, dy: -1 };
    }
  });
}

export interface Stone {
  id: number;
  kind: string;
  column: number;
  row: number;
}

/** The stones after a push, named as they were before it, so that each is seen to slide. Where the pictures do not fit together all are new. */
export function slide(before: Stone[], scene: Scene, fresh: () => number): { stones: Stone[]; entered: Entry | null } {
  const { size, cells } = scene;
  const entry = entries(size).find((one) => one.letter === scene.last) ?? null;
  const at = (stones: Stone[], column: number, row: number) =>
    stones.find((stone) => stone.column === column && stone.row === row);
  const matches = (stones: Stone[]) =>
    cells.every((cell, index) => (at(stones, index % size, Math.floor(index / size))?.kind ?? '.') === cell);
  if (matches(before)) return { stones: before, entered: null };
  if (entry) {
    const moved = pushed(before, entry, scene, fresh);
    if (matches(moved)) return { stones: moved, entered: entry };
  }
  const stones = cells.flatMap((kind, index) => {
    const [column, row] = [index % size, Math.floor(index / size)];
    const same = at(before, column, row);
    return kind === '.' ? [] : [{ id: same?.kind === kind ? same.id : fresh(), kind, column, row }];
  });
  return { stones, entered: null };
}

function pushed(before: Stone[], entry: Entry, scene: Scene, fresh: () => number): Stone[] {
  const moved = new Map(before.map((stone) => [stone.id, stone]));
  let [column, row] = [entry.column + entry.dx, entry.row + entry.dy];
  for (let step = 0; step < scene.size; step++) {
    const there = before.find((stone) => stone.column === column && stone.row === row);
    if (!there) break;
    [column, row] = [column + entry.dx, row + entry.dy];
    const inside = column >= 0 && column < scene.size && row >= 0 && row < scene.size;
    if (inside) moved.set(there.id, { ...there, column, row });
    else moved.delete(there.id);
  }
  const first = { id: fresh(), kind: scene.mover, column: entry.column + entry.dx, row: entry.row + entry.dy };
  return [...moved.values(), first];
}
