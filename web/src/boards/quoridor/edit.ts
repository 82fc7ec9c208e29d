// Sets up Quoridor positions: two pawns, walls on the board and in hand.

import type { Editor } from '../edit';
import { readScene, readTile, readWall, tileName, type Scene, type Wall } from './notation';

const HANDS = ['white', 'black'];

function write({ size, pawns, hands, toMove, walls }: Scene): string {
  const pawn = (seat: 0 | 1) => `${tileName(...pawns[seat])}:${hands[seat]}`;
  return [size, pawn(0), pawn(1), HANDS[toMove], ...walls.map((wall) => wall.name)].join(' ');
}

/** Whether two walls lie in one groove and touch the same tiles. */
const overlap = (a: Wall, b: Wall) =>
  a.across === b.across &&
  (a.across ? a.row === b.row && Math.abs(a.column - b.column) < 2 : a.column === b.column && Math.abs(a.row - b.row) < 2);

function change(position: string, how: (scene: Scene) => Scene): string {
  const scene = readScene(position);
  return scene ? write(how(scene)) : position;
}

export const editor: Editor = {
  tools: [['wall', 'white', 'black']],
  put: (position, tool, spot, between) =>
    change(position, (scene) => {
      const [tile, wall] = [readTile(spot), between === null ? null : readWall(between)];
      if (tool === 'wall') {
        if (!wall) return scene;
        const left = scene.walls.filter((other) => !overlap(other, wall));
        return { ...scene, walls: left.length < scene.walls.length ? left : [...left, wall] };
      }
      if (!tile) return scene;
      const pawns: Scene['pawns'] = tool === 'white' ? [tile, scene.pawns[1]] : [scene.pawns[0], tile];
      return { ...scene, pawns };
    }),
  clear: (position) => change(position, (scene) => ({ ...scene, walls: [] })),
  turn: (position) => (readScene(position)?.toMove === 1 ? 'second' : 'first'),
  give: (position, seat) => change(position, (scene) => ({ ...scene, toMove: seat === 'first' ? 0 : 1 })),
  fields: (position) => HANDS.map((name, index) => ({ name, min: 0, max: 10, value: readScene(position)?.hands[index as 0 | 1] ?? 0 })),
  set: (position, field, value) =>
    change(position, (scene) => ({ ...scene, hands: field === 'white' ? [value, scene.hands[1]] : [scene.hands[0], value] })),
};
