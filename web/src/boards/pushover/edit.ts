// Sets up Push-over positions: pieces on cells, and who moves. How the board came about is not known.

import type { Editor } from '../edit';
import { readScene } from './notation';

const write = (cells: string[], mover: string) => `${cells.join('')}-${mover}`;

export const editor: Editor = {
  tools: [['o', '+', '.']],
  put(position, tool, spot) {
    const scene = readScene(position);
    if (!scene) return position;
    const index = Number(spot);
    return write(scene.cells.map((cell, at) => (at !== index ? cell : cell === tool ? '.' : tool)), scene.mover);
  },
  clear(position) {
    const scene = readScene(position);
    return scene ? write(scene.cells.map(() => '.'), '+') : position;
  },
  // The text names the side that moved last.
  turn: (position) => (readScene(position)?.mover === 'o' ? 'second' : 'first'),
  give(position, seat) {
    const scene = readScene(position);
    return scene ? write(scene.cells, seat === 'first' ? '+' : 'o') : position;
  },
  fields: () => [],
  set: (position) => position,
};
