// Sets up chess positions: the text is a FEN. The rights to castle are fields that are 0 or 1.

import type { Editor } from '../edit';
import { readPieces, squareName, squarePlace } from './fen';

const RIGHTS = ['K', 'Q', 'k', 'q'];
/** The rights that go with what stands on a square. */
const TOUCHED: Record<string, string> = { a1: 'Q', e1: 'KQ', h1: 'K', a8: 'q', e8: 'kq', h8: 'k' };

interface Parts {
  board: Map<string, string>;
  side: string;
  rights: string;
}

function read(fen: string): Parts {
  const [, side = 'w', rights = '-'] = fen.split(' ');
  const board = new Map(readPieces(fen).map((piece) => [squareName(piece.column, piece.row), piece.kind]));
  return { board, side, rights: rights === '-' ? '' : rights };
}

/** What was played before is not known, so nothing is taken in passing and the counts begin anew. */
function write({ board, side, rights }: Parts): string {
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, column) => board.get(squareName(column, row)) ?? '1').join('').replace(/1+/g, (run) => String(run.length)),
  );
  return `${rows.join('/')} ${side} ${RIGHTS.filter((right) => rights.includes(right)).join('') || '-'} - 0 1`;
}

export const editor: Editor = {
  tools: [['K', 'Q', 'R', 'B', 'N', 'P'], ['k', 'q', 'r', 'b', 'n', 'p'], ['']],
  put(position, tool, spot) {
    const parts = read(position);
    const [column] = squarePlace(spot);
    if (column < 0 || column > 7) return position;
    if (tool === '' || parts.board.get(spot) === tool) parts.board.delete(spot);
    else parts.board.set(spot, tool);
    const gone = TOUCHED[spot] ?? '';
    return write({ ...parts, rights: [...parts.rights].filter((right) => !gone.includes(right)).join('') });
  },
  clear: (position) => write({ board: new Map(), side: read(position).side, rights: '' }),
  turn: (position) => (read(position).side === 'b' ? 'second' : 'first'),
  give: (position, seat) => write({ ...read(position), side: seat === 'first' ? 'w' : 'b' }),
  fields: (position) => RIGHTS.map((name) => ({ name, min: 0, max: 1, value: read(position).rights.includes(name) ? 1 : 0 })),
  set(position, field, value) {
    const parts = read(position);
    const others = parts.rights.replace(field, '');
    return write({ ...parts, rights: value > 0 ? others + field : others });
  },
};
