import { describe, expect, it } from 'vitest';
import { prefs } from '../lib/prefs.svelte';
import { across, cell, chess, exploded, minesweeper, pushover, quoridor, SEATS } from './fixtures/scenes';
import { chanceText, sidesOf, signOf } from './skin';
import { pieceTitle, placeTitle, toolTitle } from './words';

prefs.language = 'en';

describe('what a board says', () => {
  it('where the cursor is and what stands there', () => {
    expect(placeTitle(chess, cell(4, 7), SEATS['chess']!, null)).toBe('e1, White king');
    expect(placeTitle(chess, cell(4, 4), SEATS['chess']!, null)).toBe('e4');
    expect(placeTitle(minesweeper, cell(2, 3), SEATS['minesweeper']!, null)).toBe('c4, flagged');
    expect(placeTitle(minesweeper, cell(4, 4), SEATS['minesweeper']!, null)).toBe('e5, masked');
    expect(placeTitle(minesweeper, cell(2, 1), SEATS['minesweeper']!, null)).toBe('c2, 2');
    expect(placeTitle(minesweeper, cell(0, 0), SEATS['minesweeper']!, null)).toBe('a1, empty');
    expect(placeTitle(exploded, cell(2, 1), SEATS['exploded']!, null)).toBe('c2, a mine');
  });

  it('which wall is shown, and whether it is possible', () => {
    expect(placeTitle(quoridor, cell(2, 3), SEATS['quoridor']!, across(2, 1))).toBe('c2, White pawn, c4h');
    expect(placeTitle(quoridor, cell(2, 3), SEATS['quoridor']!, across(1, 3))).toBe('c2, White pawn, not possible');
  });

  it('which edge of the border', () => {
    expect(placeTitle(pushover, cell(-1, 0), SEATS['pushover']!, null)).toBe('A');
    expect(placeTitle(pushover, cell(4, 1), SEATS['pushover']!, null)).toBe('F, not possible');
  });

  it('what a tool places', () => {
    expect(toolTitle({ shape: 'disc', owner: 'second', unique: false }, SEATS['pushover']!)).toBe('+ disc');
    expect(toolTitle({ shape: { digit: 8 }, owner: null, unique: false }, [])).toBe('Number 8');
    expect([toolTitle('wall', []), toolTitle('erase', [])]).toEqual(['Wall', 'Nothing']);
    prefs.language = 'fr';
    expect(pieceTitle({ shape: 'king', owner: 'second' }, SEATS['chess']!)).toBe('roi (Noirs)');
    prefs.language = 'en';
  });

  it('colours and signs come from the names of the seats', () => {
    expect(sidesOf(SEATS['othello']!)).toEqual(['black', 'white']);
    expect(sidesOf(SEATS['pushover']!)).toEqual(['white', 'black']);
    expect([signOf('second', SEATS['pushover']!), signOf('first', SEATS['chess']!)]).toEqual(['+', '']);
  });

  it('a chance is never rounded to certainty', () => {
    expect([chanceText(0.001), chanceText(0.999), chanceText(0.5), chanceText(1)]).toEqual(['<1', '>99', '50', '100']);
  });
});
