// The measures of a board on the screen: where cells and edges lie, and what lies under a point.

import type { Cell, Edge, Grid, Touch } from '../lib/types';
import { borderBeside, isInside } from './places';

/** The side of a cell; everything else is measured against it. */
export const SIDE = 45;
/** The groove between two tiles. */
const GROOVE = 12;
/** The rim of the ground under the cells. */
export const RIM = 4;
/** The margin that holds labels. */
const LABELS = 19;
/** How far beside a groove a pointer still means it. */
const REACH = 5.5;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Layout {
  readonly gap: number;
  readonly step: number;
  /** Around the cells. */
  readonly margin: { left: number; top: number; right: number; bottom: number };
  readonly inner: { width: number; height: number };
  readonly width: number;
  readonly height: number;

  constructor(
    readonly grid: Grid,
    readonly flipped: boolean,
  ) {
    this.gap = grid.style === 'grooved' ? GROOVE : 0;
    this.step = SIDE + this.gap;
    const isRinged = grid.edge_touch === 'border';
    const isInside = grid.style === 'checkered';
    const of = (labels: string[]) => (isRinged ? SIDE : isInside || labels.length === 0 ? 0 : LABELS);
    const ground = { plain: RIM, checkered: 0, grooved: LABELS, holes: 6 }[grid.style];
    const [left, level] = [Math.max(of(grid.row_labels), ground), Math.max(of(grid.column_labels), ground)];
    const other = isRinged ? SIDE : ground;
    const [top, bottom] = grid.column_labels_at === 'top' ? [level, other] : [other, level];
    this.margin = { left, bottom, top, right: other };
    this.inner = { width: grid.columns * this.step - this.gap, height: grid.rows * this.step - this.gap };
    this.width = this.inner.width + left + other;
    this.height = this.inner.height + bottom + top;
  }

  /** What the drawing shows; the corner of the cells is its origin. */
  get viewBox(): string {
    return `${-this.margin.left} ${-this.margin.top} ${this.width} ${this.height}`;
  }

  /** The top left corner of a cell as it lies on the screen. */
  corner({ column, row }: Cell): [x: number, y: number] {
    const { columns, rows } = this.grid;
    const [across, down] = this.flipped ? [columns - 1 - column, rows - 1 - row] : [column, row];
    return [across * this.step, down * this.step];
  }

  middle(cell: Cell): [x: number, y: number] {
    const [x, y] = this.corner(cell);
    return [x + SIDE / 2, y + SIDE / 2];
  }

  /** The bar that stands on an edge between cells. */
  bar({ cell, direction, length }: Edge): Box {
    const long = length * this.step - this.gap;
    const thick = Math.max(4, this.gap - 2);
    const along = direction === 'right' ? { column: cell.column + length - 1, row: cell.row } : { column: cell.column, row: cell.row + length - 1 };
    const [[ax, ay], [bx, by]] = [this.corner(cell), this.corner(along)];
    const [x, y] = [Math.min(ax, bx), Math.min(ay, by)];
    const line = (start: number) => start + (this.flipped ? SIDE + this.gap / 2 : -this.gap / 2) - thick / 2;
    return direction === 'right' ? { x, y: line(y), width: long, height: thick } : { x: line(x), y, width: thick, height: long };
  }

  /** Where the name of a border edge stands: the middle of the place beside its cell. */
  beside(edge: Edge): [x: number, y: number] {
    const { cell, direction } = edge;
    const outside = direction === 'down' ? { column: cell.column === 0 ? -1 : cell.column, row: cell.row } : { column: cell.column, row: cell.row === 0 ? -1 : cell.row };
    return this.middle(outside);
  }

  /** A point in the drawing's own measure, from one on the screen. */
  point(event: { clientX: number; clientY: number }, frame: DOMRect): [x: number, y: number] {
    const scale = this.width / (frame.width || 1);
    return [(event.clientX - frame.left) * scale - this.margin.left, (event.clientY - frame.top) * scale - this.margin.top];
  }

  /** The cell under a point, one outside the grid too. */
  #cell(x: number, y: number): Cell {
    const { columns, rows } = this.grid;
    const index = (value: number, count: number) => (value > count * this.step - this.gap ? count : Math.floor(value / this.step));
    const [across, down] = [index(x, columns), index(y, rows)];
    return this.flipped ? { column: columns - 1 - across, row: rows - 1 - down } : { column: across, row: down };
  }

  /** What is under a point: a cell, and an edge where one can be touched there. */
  at(x: number, y: number): { cell: Cell | null; edge: Edge | null } {
    const cell = this.#cell(x, y);
    const within = isInside(this.grid, cell);
    if (this.grid.edge_touch === 'border') return { cell: within ? cell : null, edge: within ? null : borderBeside(this.grid, cell) };
    const edge = within && this.grid.edge_touch === 'pairs' ? this.#pair(x, y) : null;
    return { cell: within ? cell : null, edge };
  }

  /** Whether a point lies on a tile, and not in a groove. */
  isOnTile(x: number, y: number): boolean {
    return x % this.step <= SIDE && y % this.step <= SIDE;
  }

  /** The edge along two cells that is nearest to a point; null in the middle of a cell. */
  #pair(x: number, y: number): Edge | null {
    const { columns, rows } = this.grid;
    const [bx, by] = this.flipped ? [this.inner.width - x, this.inner.height - y] : [x, y];
    const near = this.gap / 2 + REACH;
    const line = (value: number) => {
      const index = Math.round((value + this.gap / 2) / this.step);
      return { index, off: Math.abs(value + this.gap / 2 - index * this.step) };
    };
    const [upright, level] = [line(bx), line(by)];
    const isUpright = upright.off <= near && upright.index > 0 && upright.index < columns;
    const isLevel = level.off <= near && level.index > 0 && level.index < rows;
    // The middle of the two cells is the corner between them that is nearest.
    const start = (found: { index: number }, count: number) => Math.max(0, Math.min(count - 2, found.index - 1));
    if (isUpright && (!isLevel || upright.off <= level.off)) {
      return { cell: { column: upright.index, row: start(level, rows) }, direction: 'down', length: 2 };
    }
    return isLevel ? { cell: { column: start(upright, columns), row: level.index }, direction: 'right', length: 2 } : null;
  }

  /** The point that stands for a touch when a move is drawn. */
  spot(touch: Touch): [x: number, y: number] {
    if ('cell' in touch) return this.middle(touch.cell);
    if ('second' in touch) return this.middle(touch.second);
    if (this.grid.edge_touch === 'border') return this.beside(touch.edge);
    const { x, y, width, height } = this.bar(touch.edge);
    return [x + width / 2, y + height / 2];
  }
}
