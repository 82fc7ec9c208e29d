// Reads Quoridor's positions and walls, to draw them: `5 b2:3 c5:2 black c3h a1v`.

export interface Wall {
  name: string;
  column: number;
  row: number;
  across: boolean;
}

export interface Scene {
  size: number;
  /** White's and black's pawn, from the left and from the bottom. */
  pawns: [[number, number], [number, number]];
  hands: [number, number];
  walls: Wall[];
  toMove: 0 | 1;
}

export const tileName = (column: number, row: number) => String.fromCharCode(97 + column) + String(row + 1);

export function readTile(name: string): [number, number] | null {
  const match = /^([a-i])([1-9])$/.exec(name);
  return match ? [match[1]!.charCodeAt(0) - 97, Number(match[2]) - 1] : null;
}

export function readWall(name: string): Wall | null {
  const match = /^([a-i][1-9])([hv])$/.exec(name);
  const tile = match && readTile(match[1]!);
  return tile ? { name, column: tile[0], row: tile[1], across: match[2] === 'h' } : null;
}

export function readScene(position: string): Scene | null {
  const [size, white, black, side, ...walls] = position.trim().split(/\s+/);
  const pawn = (text: string | undefined) => {
    const [name = '', hand = '0'] = (text ?? '').split(':');
    return { at: readTile(name), hand: Number(hand) };
  };
  const [one, two] = [pawn(white), pawn(black)];
  if (!one.at || !two.at || !Number(size)) return null;
  return {
    size: Number(size),
    pawns: [one.at, two.at],
    hands: [one.hand, two.hand],
    walls: walls.flatMap((name) => readWall(name) ?? []),
    toMove: side === 'black' ? 1 : 0,
  };
}

/** The measures of the drawing: a tile, the groove beside it, the margin for the names. */
export const TILE = 40;
export const GROOVE = 11;
export const STEP = TILE + GROOVE;
export const MARGIN = 18;

/** Where a wall would lie, on a board of this size, for a point measured from the corner of a1 to the right and up; null on a tile. */
export function wallAt(x: number, y: number, size: number): string | null {
  const reach = 5;
  const groove = (value: number) => {
    const index = Math.round((value + GROOVE / 2) / STEP) - 1;
    const centre = (index + 1) * STEP - GROOVE / 2;
    return { index, off: Math.abs(value - centre) };
  };
  const [along, up] = [groove(x), groove(y)];
  const near = GROOVE / 2 + reach;
  const upright = along.off <= near && along.index >= 0 && along.index < size - 1;
  const across = up.off <= near && up.index >= 0 && up.index < size - 1;
  if (!upright && !across) return null;
  const clamp = (value: number) => Math.max(0, Math.min(size - 2, value));
  const slot = (value: number) => clamp(Math.round((value + GROOVE / 2) / STEP) - 1);
  if (upright && (!across || along.off <= up.off)) return tileName(along.index, slot(y)) + 'v';
  return tileName(slot(x), up.index) + 'h';
}
