// Sets up Minesweeper boards: what each cell shows, and how many mines there are.

import type { Editor } from '../edit';
import { cellPlace } from '../types';
import { readScene, type Scene } from './notation';

function write({ mines, rows, cols, cells }: Scene): string {
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
  return [`mines ${mines}`, ...lines].join('\n');
}

export const editor: Editor = {
  tools: [['.', 'F', '0'], ['1', '2', '3', '4', '5', '6', '7', '8']],
  put(position, tool, spot) {
    const [scene, place] = [readScene(position), cellPlace(spot)];
    if (!scene || !place) return position;
    const index = place[1] * scene.cols + place[0];
    const shown = scene.cells[index] === tool ? '.' : tool;
    return write({ ...scene, cells: scene.cells.slice(0, index) + shown + scene.cells.slice(index + 1) });
  },
  clear(position) {
    const scene = readScene(position);
    return scene ? write({ ...scene, cells: '.'.repeat(scene.rows * scene.cols) }) : position;
  },
  turn: () => null,
  give: (position) => position,
  fields(position) {
    const scene = readScene(position);
    return scene ? [{ name: 'mines', min: 1, max: scene.rows * scene.cols - 1, value: scene.mines }] : [];
  },
  set(position, _, value) {
    const scene = readScene(position);
    return scene ? write({ ...scene, mines: value }) : position;
  },
};
