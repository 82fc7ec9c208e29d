// Cells, edges and touches compared and named. Names come from the labels of the grid; no notation is read here.

import type { Cell, Edge, Grid, Piece, Scene, Shape, Touch } from '../lib/types';

export const sameCell = (a: Cell, b: Cell) => a.column === b.column && a.row === b.row;
export const cellKey = (cell: Cell) => `${cell.column},${cell.row}`;
export const edgeKey = (edge: Edge) => `${cellKey(edge.cell)} ${edge.direction} ${edge.length}`;

export function touchKey(touch: Touch): string {
  if ('cell' in touch) return cellKey(touch.cell);
  return 'second' in touch ? `second ${cellKey(touch.second)}` : edgeKey(touch.edge);
}

/** The cell that is touched, with either button; null for an edge. */
export function touchedCell(touch: Touch | undefined): Cell | null {
  if (!touch || 'edge' in touch) return null;
  return 'cell' in touch ? touch.cell : touch.second;
}

export const sameShape = (a: Shape, b: Shape) => shapeName(a) === shapeName(b);
export const shapeName = (shape: Shape): string => (typeof shape === 'string' ? shape : `digit ${shape.digit}`);
export const kindOf = (piece: Pick<Piece, 'shape' | 'owner'>) => `${shapeName(piece.shape)}/${piece.owner ?? ''}`;

export const isInside = (grid: Grid, { column, row }: Cell) => column >= 0 && row >= 0 && column < grid.columns && row < grid.rows;

/** A cell as the labels call it; by its numbers where there are none. */
export function cellName(grid: Grid, { column, row }: Cell): string {
  const [letter, number] = [grid.column_labels[column], grid.row_labels[row]];
  if (letter === undefined && number === undefined) return `${column + 1}, ${row + 1}`;
  return `${letter ?? ''}${number ?? ''}`;
}

/** The cell that the labels call so; null if there is none. */
export function cellNamed(grid: Grid, name: string): Cell | null {
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      if (cellName(grid, { column, row }) === name) return { column, row };
    }
  }
  return null;
}

/** The outer edges of the cells at the border. */
export function borderEdges({ columns, rows }: Grid): Edge[] {
  const edge = (column: number, row: number, direction: Edge['direction']): Edge => ({ cell: { column, row }, direction, length: 1 });
  const down = Array.from({ length: rows }, (_, row) => [edge(0, row, 'down'), edge(columns, row, 'down')]);
  const across = Array.from({ length: columns }, (_, column) => [edge(column, 0, 'right'), edge(column, rows, 'right')]);
  return [...down.flat(), ...across.flat()];
}

/** The cell inside a border edge, and the way from the edge into the board. */
export function inward({ columns, rows }: Grid, { cell, direction }: Edge): { cell: Cell; dx: number; dy: number } {
  const isLast = direction === 'down' ? cell.column === columns : cell.row === rows;
  const step = isLast ? -1 : 1;
  if (direction === 'down') return { cell: { column: isLast ? columns - 1 : 0, row: cell.row }, dx: step, dy: 0 };
  return { cell: { column: cell.column, row: isLast ? rows - 1 : 0 }, dx: 0, dy: step };
}

/** The border edge beside a cell just outside the grid; null at the corners and elsewhere. */
export function borderBeside({ columns, rows }: Grid, { column, row }: Cell): Edge | null {
  const isBeside = column === -1 || column === columns;
  const isAbove = row === -1 || row === rows;
  if (isBeside === isAbove || column < -1 || row < -1 || column > columns || row > rows) return null;
  if (isBeside) return { cell: { column: Math.max(0, column), row }, direction: 'down', length: 1 };
  return { cell: { column, row: Math.max(0, row) }, direction: 'right', length: 1 };
}

/** What an edge is called: its label, else the move that touches nothing but it. */
export function edgeName(scene: Scene, edge: Edge): string {
  const key = edgeKey(edge);
  const label = scene.grid.edge_labels?.find((one) => edgeKey(one.edge) === key)?.label;
  return label ?? scene.gestures.find((one) => one.touches.length === 1 && touchKey(one.touches[0]!) === key)?.move ?? '';
}
