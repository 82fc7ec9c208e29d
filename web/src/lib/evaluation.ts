// What an evaluation has found, in an order in which it can be shown: single numbers, groups of them, squares of numbers.

import { measured, type Measured } from './curves';

type Rec = Record<string, unknown>;

export interface NumberGroup {
  /** Its name in the report; null for the numbers that belong to none. */
  name: string | null;
  numbers: Measured[];
}

export interface NumberSquare {
  name: string;
  rows: number[][];
}

const isGroup = (value: unknown): value is Rec => value !== null && typeof value === 'object' && !Array.isArray(value);
const isRow = (value: unknown): value is number[] => Array.isArray(value) && value.every((one) => typeof one === 'number');

/** The numbers of a report: those that stand alone first, then group by group. Lists are left to the figures. */
export function groupsOf(report: Rec): NumberGroup[] {
  const alone = Object.fromEntries(Object.entries(report).filter(([, value]) => typeof value === 'number'));
  const groups = Object.entries(report).flatMap(([name, value]) => (isGroup(value) ? [{ name, numbers: measured(value) }] : []));
  return [{ name: null, numbers: measured(alone) }, ...groups].filter(({ numbers }) => numbers.length > 0);
}

/** The squares of a report, such as a confusion matrix. */
export function squaresOf(report: Rec): NumberSquare[] {
  return Object.entries(report).flatMap(([name, rows]) =>
    Array.isArray(rows) && rows.length > 0 && rows.every((row): row is number[] => isRow(row) && row.length === rows.length) ? [{ name, rows }] : [],
  );
}
