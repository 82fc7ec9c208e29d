// Reads Minesweeper's boards, to draw them: a line `mines N`, then one line per row.

import { columnName } from '../types';

export interface Scene {
  mines: number;
  rows: number;
  cols: number;
  /** Row by row: `.` masked, `F` flagged, `*` exploded, a digit. */
  cells: string;
}

export function readScene(position: string): Scene | null {
  const [head = '', ...lines] = position.trim().split('\n').map((line) => line.trim());
  const mines = Number(/^mines (\d+)$/.exec(head)?.[1]);
  const cols = lines[0]?.length ?? 0;
  if (!Number.isFinite(mines) || cols === 0 || lines.some((line) => line.length !== cols)) return null;
  return { mines, rows: lines.length, cols, cells: lines.join('') };
}

export const cellName = (scene: Scene, index: number) =>
  columnName(index % scene.cols) + String(Math.floor(index / scene.cols) + 1);

/** The chance of a mine as it is written on a cell. */
export function percent(chance: number): string {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return '<1';
  if (rounded === 100 && chance < 1) return '>99';
  return String(rounded);
}
