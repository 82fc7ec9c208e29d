// What a person's hands do with a board: the mouse, a finger, the keyboard. They end in a gesture that is played, a try that is refused,
// or a place that is picked while a position is set up.

import type { Cell, Edge, Gesture, Scene, Touch } from '../lib/types';
import { isPress, type Cursor } from './cursor.svelte';
import { canLift, complete, droppedOn, hasSecond, touched, type Reply } from './gestures';
import { keyed } from './keys';
import type { Layout } from './layout';
import { borderBeside, borderEdges, edgeKey, edgeName, isInside, sameCell } from './places';
import type { BoardProps } from './types';

/** How long a finger has to rest to mean the second button. */
const LONG_PRESS = 380;
/** How far a pointer has to go to drag. */
const DRAG = 4;

export interface Held extends Pick<BoardProps, 'secondFirst' | 'picksEdges' | 'onrefuse' | 'onpoint' | 'onpick'> {
  scene: Scene;
  layout: Layout;
  playable: boolean;
  onplay: (move: string) => void;
  /** A move was meant by its key; true if it waits for the next tick. */
  onkeyed?: (move: string) => void;
  svg: SVGSVGElement | undefined;
}
interface Drag {
  cell: Cell;
  x: number;
  y: number;
  moved: boolean;
}

export class Hands {
  /** What has been touched of a gesture that takes several touches. */
  taken = $state.raw<Touch[]>([]);
  /** Moves to choose from. */
  choices = $state.raw<Gesture[]>([]);
  /** The edge under the pointer, and the one that is shown and placed by the next touch. */
  hover = $state.raw<Edge | null>(null);
  armed = $state.raw<Edge | null>(null);
  drag = $state.raw<Drag | null>(null);
  #byTouch = false;
  #longPressed = false;
  /** The press was dealt with when it began, so its click is nothing more. */
  #done = false;
  #timer = 0;

  constructor(
    readonly held: () => Held,
    readonly cursor: Cursor,
  ) {}

  /** The position has changed: everything begins anew. */
  reset() {
    this.taken = [];
    this.choices = [];
    [this.hover, this.armed, this.drag] = [null, null, null];
  }

  get #isOn(): boolean {
    return this.held().playable || this.held().onpick !== undefined;
  }

  /** What a pointer means: on a cell that is a move by itself, the edge beside it is not meant. */
  #at(event: PointerEvent | MouseEvent): { cell: Cell | null; edge: Edge | null; x: number; y: number } {
    const { layout, svg, scene, onpick, picksEdges } = this.held();
    const [x, y] = layout.point(event, svg?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1));
    const { cell, edge } = layout.at(x, y);
    if (onpick) return { cell, edge: picksEdges ? edge : null, x, y };
    const isMove = cell !== null && layout.isOnTile(x, y) && complete(scene.gestures, [{ cell }]).length > 0;
    return { cell, edge: isMove ? null : edge, x, y };
  }

  down = (event: PointerEvent) => {
    this.cursor.pointed();
    this.#byTouch = event.pointerType === 'touch';
    [this.#longPressed, this.#done] = [false, false];
    const { scene, playable, onpick, svg } = this.held();
    if (event.button !== 0 || this.choices.length > 0) return;
    const { cell, edge, x, y } = this.#at(event);
    if (!cell || edge || onpick || !playable) return;
    if (this.#byTouch && hasSecond(scene.gestures)) this.#timer = window.setTimeout(() => this.#rest(cell), LONG_PRESS);
    if (this.taken.length === 0 && !canLift(scene.gestures, cell)) return;
    this.#done = true;
    if (!this.#holds(cell)) this.touch({ cell });
    if (this.#holds(cell) && scene.pieces.some((piece) => sameCell(piece.cell, cell))) {
      this.drag = { cell, x, y, moved: false };
      svg?.setPointerCapture(event.pointerId);
    }
  };

  #holds(cell: Cell): boolean {
    const [only, more] = this.taken;
    return only !== undefined && more === undefined && 'cell' in only && sameCell(only.cell, cell);
  }

  #rest(cell: Cell) {
    this.#longPressed = true;
    this.second(cell);
  }

  move = (event: PointerEvent) => {
    const { cell, edge, x, y } = this.#at(event);
    const { drag } = this;
    if (drag) {
      const moved = drag.moved || Math.hypot(x - drag.x, y - drag.y) > DRAG;
      if (moved) this.drag = { ...drag, x, y, moved };
      return;
    }
    if (this.#isOn && event.pointerType !== 'touch') this.hover = edge;
    this.held().onpoint?.(cell);
  };

  up = (event: PointerEvent) => {
    window.clearTimeout(this.#timer);
    const { drag } = this;
    this.drag = null;
    if (!drag?.moved) return;
    const { cell } = this.#at(event);
    if (cell && !sameCell(cell, drag.cell)) this.#follow(droppedOn(this.held().scene, this.taken, cell), true);
  };

  leave = () => {
    window.clearTimeout(this.#timer);
    this.hover = null;
    this.held().onpoint?.(null);
  };
  cancelled = () => {
    window.clearTimeout(this.#timer);
    this.drag = null;
  };

  click = (event: MouseEvent) => {
    const wasDone = this.#done || this.#longPressed;
    [this.#done, this.#longPressed] = [false, false];
    if (wasDone || this.choices.length > 0) return;
    const { cell, edge } = this.#at(event);
    if (edge) this.#press({ edge }, this.#byTouch);
    else if (cell) this.#press({ cell });
  };

  menu = (event: MouseEvent) => {
    if (!this.#longPressed && !hasSecond(this.held().scene.gestures)) return;
    event.preventDefault();
    const { cell } = this.#at(event);
    if (cell && !this.#longPressed) this.second(cell);
  };

  /** A place was pressed; an edge between cells that has to be shown first is shown. */
  #press(touch: Touch, showFirst = false) {
    const { scene, playable, secondFirst, onpick } = this.held();
    if (onpick) return onpick(touch);
    if (!playable) return;
    if ('edge' in touch && showFirst && scene.grid.edge_touch === 'pairs' && !this.#isArmed(touch.edge)) {
      this.armed = touch.edge;
      return;
    }
    this.armed = null;
    const second: Touch | null = secondFirst && 'cell' in touch ? { second: touch.cell } : null;
    this.touch(second && complete(scene.gestures, [second]).length > 0 ? second : touch);
  }
  #isArmed = (edge: Edge) => this.armed !== null && edgeKey(this.armed) === edgeKey(edge);

  touch(touch: Touch) {
    this.#follow(touched(this.held().scene, this.taken, touch));
  }
  second(cell: Cell) {
    if (this.held().playable) this.#follow(touched(this.held().scene, [], { second: cell }));
  }

  #follow(reply: Reply, stays = false) {
    const { onplay, onrefuse } = this.held();
    if (reply.kind === 'choose') {
      this.choices = reply.gestures;
      return;
    }
    this.taken = reply.kind === 'continue' ? reply.touches : reply.kind === 'refuse' && stays ? this.taken : [];
    if (reply.kind === 'play') onplay(reply.gesture.move);
    if (reply.kind === 'refuse') onrefuse?.(reply.touches);
  }

  choose(gesture: Gesture) {
    this.letGo();
    this.held().onplay(gesture.move);
  }
  /** Lets go of everything, and the keyboard is on the board again. */
  letGo() {
    this.reset();
    this.held().svg?.focus();
  }

  key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#keyed(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #keyed(event: KeyboardEvent): boolean {
    const { scene, onpoint } = this.held();
    const { cursor } = this;
    if (event.key === 'Escape') {
      this.letGo();
      return true;
    }
    const move = this.held().onpick ? undefined : keyed(scene.keys, event.key);
    // Keys that play moves do not steer, not even in the moments in which no move can be made.
    if (move !== undefined) {
      this.held().onkeyed?.(move);
      return true;
    }
    if (cursor.steer(event)) {
      onpoint?.(cursor.at && isInside(scene.grid, cursor.at) ? cursor.at : null);
      return true;
    }
    const edge = this.#lettered(event.key) ?? this.#aimed(event.key);
    if (edge) this.#press({ edge }, true);
    else if (cursor.at && isPress(event)) this.#enter(cursor.at);
    else if (cursor.at && event.key === 'f' && hasSecond(scene.gestures)) this.second(cursor.at);
    else return false;
    return true;
  }

  #enter(at: Cell) {
    const { grid } = this.held().scene;
    const edge = borderBeside(grid, at);
    if (isInside(grid, at)) this.#press({ cell: at });
    else if (edge && !this.held().onpick) this.#press({ edge });
  }

  /** The edge at the border that a key names. One pressed too early must not be taken for one of the page's keys. */
  #lettered(key: string): Edge | null {
    const { scene } = this.held();
    if (scene.grid.edge_touch !== 'border' || key.length !== 1) return null;
    return borderEdges(scene.grid).find((edge) => edgeName(scene, edge).toLowerCase() === key.toLowerCase()) ?? null;
  }

  /** The wall above the cursor (`h`) or to the right of it (`v`), kept on the board. */
  #aimed(key: string): Edge | null {
    const { grid } = this.held().scene;
    if (grid.edge_touch !== 'pairs' || (key !== 'h' && key !== 'v') || !this.#isOn) return null;
    const { column, row } = this.cursor.appear();
    const [left, top] = [Math.min(column, grid.columns - 2), Math.max(row, 1)];
    return key === 'h'
      ? { cell: { column: left, row: top }, direction: 'right', length: 2 }
      : { cell: { column: left + 1, row: top - 1 }, direction: 'down', length: 2 };
  }
}
