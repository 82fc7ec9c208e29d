// What a board says to those who cannot see it.

import { say, seatTitle } from '../i18n/index.svelte';
import type { Cell, Edge, PaletteItem, Scene, Shape, Text } from '../lib/types';
import type { EditTool } from './draft';
import { complete } from './gestures';
import { borderBeside, cellName, edgeName, isInside, sameCell } from './places';
import { isMined } from './skin';

/** A piece by name: whose it is and what it is. */
export function pieceTitle({ shape, owner }: Pick<PaletteItem, 'shape' | 'owner'>, seats: Text[]): string {
  if (owner === null) return shapeTitle(shape);
  return say.t.pieceOf(seatTitle(seats[owner === 'first' ? 0 : 1]), shapeTitle(shape));
}

function shapeTitle(shape: Shape): string {
  if (typeof shape !== 'string') return String(shape.digit);
  return say.t.shapes[shape];
}

/** What a tool of the editor places. */
export function toolTitle(tool: EditTool, seats: Text[]): string {
  if (tool === 'erase') return say.t.edit.erase;
  if (tool === 'wall') return say.t.edit.wall;
  if (typeof tool.shape !== 'string') return say.t.edit.number(String(tool.shape.digit));
  if (tool.shape === 'cover') return say.t.edit.masked;
  if (tool.shape === 'flag') return say.t.edit.flag;
  const title = pieceTitle(tool, seats);
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** What is at a place: its name and what stands there, and the edge that is shown. */
export function placeTitle(scene: Scene, at: Cell, seats: Text[], armed: Edge | null): string {
  if (!isInside(scene.grid, at)) {
    const edge = borderBeside(scene.grid, at);
    return edge ? edgeTitle(scene, edge) : '';
  }
  const there = scene.pieces.filter((piece) => sameCell(piece.cell, at) && !isBare(piece.shape));
  const top = there.at(-1);
  const what = top ? pieceTitle(top, seats) : isMined(scene) ? say.t.table.empty : '';
  return [cellName(scene.grid, at), what, armed ? edgeTitle(scene, armed) : ''].filter((part) => part !== '').join(', ');
}
const isBare = (shape: Shape) => typeof shape !== 'string' && shape.digit === 0;

function edgeTitle(scene: Scene, edge: Edge): string {
  const isLegal = complete(scene.gestures, [{ edge }]).length > 0;
  const name = edgeName(scene, edge);
  return isLegal ? name : [name, say.t.board.notPossible].filter((part) => part !== '').join(', ');
}
