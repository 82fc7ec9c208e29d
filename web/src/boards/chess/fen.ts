// Reads the board of a FEN, to draw it.

export interface Piece {
  kind: string;
  column: number;
  /** From the eighth rank down. */
  row: number;
}

const WORTH: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

export function readPieces(fen: string): Piece[] {
  const pieces: Piece[] = [];
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((text, row) => {
    let column = 0;
    for (const char of text) {
      if (/[1-8]/.test(char)) column += Number(char);
      else pieces.push({ kind: char, column: column++, row });
    }
  });
  return pieces;
}

export const squareName = (column: number, row: number) => String.fromCharCode(97 + column) + String(8 - row);

export function squarePlace(name: string): [column: number, row: number] {
  return [name.charCodeAt(0) - 97, 8 - Number(name[1])];
}

export const turnOf = (fen: string): 'w' | 'b' => (fen.split(' ')[1] === 'b' ? 'b' : 'w');

/** By how much white's pieces outweigh black's, as people count. */
export function lead(fen: string): number {
  const worth = (kind: string) => (WORTH[kind.toLowerCase()] ?? 0) * (kind === kind.toUpperCase() ? 1 : -1);
  return readPieces(fen).reduce((sum, piece) => sum + worth(piece.kind), 0);
}
