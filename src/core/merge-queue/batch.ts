// The arithmetic of prefixes: which prefix is proven, where the first red one is, which to test
// next. Positions count entries from the target: 0 is the bare target. Knows nothing of git or CI.
import type { Slot } from "./queue.ts";

const isGreen = (slot: Slot): boolean => slot.verdict?.kind === "green";

/**
 * The longest prefix that passed; what was red below it is of no interest any more. But an entry that
 * goes by itself needs a proof of its own, and so does what stands before it: a longer prefix that
 * passed proves neither.
 */
export function greenEnd(stack: Slot[], solo: number[]): number {
  const proven = stack.slice(0, Math.min(stack.length, ...unproven(stack, solo)));
  return 1 + proven.findLastIndex(isGreen);
}

/**
 * Positions that need a proof and have none: entries that must land alone, and the one before each.
 */
export function unproven(stack: Slot[], solo: number[]): number[] {
  const bounds = new Set(solo.flatMap((position) => [position - 1, position]));
  return [...bounds]
    .filter((bound) => stack.slice(Math.max(0, bound - 1), bound).some((slot) => !isGreen(slot)))
    .toSorted((a, b) => a - b);
}

/** The shortest red prefix above the green one. */
export function redEnd(stack: Slot[], solo: number[]): number | undefined {
  const green = greenEnd(stack, solo);
  const found = stack.findIndex((slot, index) => index >= green && slot.verdict?.kind === "red");
  return found === -1 ? undefined : found + 1;
}

/** Positions under test. */
export const tested = (stack: Slot[]): number[] =>
  stack.flatMap((slot, index) => (slot.test === undefined ? [] : [index + 1]));

export type Segment = {
  /** Proven green, and proven red: the first bad entry is in between. */
  green: number;
  red: number;
  /** Positions under test already. */
  active: number[];
  /** How many more may be tested. */
  free: number;
};

/**
 * Splits a red segment into equal parts, one cut per lane. A cut that passes proves that what is
 * behind it is bad on top of it; nothing needs to be tested twice.
 */
export function narrowingPoints(segment: Segment): number[] {
  const { green, red, free } = segment;
  const active = segment.active.filter((position) => position > green && position < red);
  if (free <= 0) return [];
  if (active.length > 0) return intoLargestGaps({ ...segment, active });
  const width = red - green;
  const cuts = Math.min(free, width - 1);
  return Array.from(
    { length: cuts },
    (_, cut) => green + Math.ceil((width * (cut + 1)) / (cuts + 1)),
  ).filter((position, index, all) => position < red && position !== all[index - 1]);
}

function intoLargestGaps({ green, red, active, free }: Segment): number[] {
  const points = [green, ...active, red];
  const chosen: number[] = [];
  while (chosen.length < free) {
    points.sort((a, b) => a - b);
    let low = 0;
    for (let index = 1; index < points.length - 1; index += 1) {
      if (gap(points, index) > gap(points, low)) low = index;
    }
    if (gap(points, low) < 2) break;
    const middle = (points[low] ?? 0) + Math.ceil(gap(points, low) / 2);
    points.push(middle);
    chosen.push(middle);
  }
  return chosen;
}

const gap = (points: number[], index: number): number =>
  (points[index + 1] ?? 0) - (points[index] ?? 0);

export type Reach = {
  green: number;
  active: number[];
  free: number;
  length: number;
  step: number;
  /** Positions of entries that are tested and landed by themselves. */
  solo: number[];
};

/** Puts free lanes on the next nested prefixes: s, 2s, … behind what is proven or under test. */
export function prefixPoints(reach: Reach): number[] {
  const { free, length, step } = reach;
  const solo = new Set(reach.solo);
  const points: number[] = [];
  let last = Math.max(reach.green, ...reach.active);
  while (points.length < free && last < length) {
    last = upTo(last, Math.min(last + step, length), solo);
    points.push(last);
  }
  return points;
}

/** An entry that goes by itself ends the prefix before it, and its own. */
function upTo(last: number, limit: number, solo: Set<number>): number {
  if (solo.has(last + 1)) return last + 1;
  for (let position = last + 2; position <= limit; position += 1) {
    if (solo.has(position)) return position - 1;
  }
  return limit;
}

/** The prefix to land: the longest green one, but an entry that goes by itself goes by itself. */
export function landingEnd(stack: Slot[], solo: number[]): number {
  const green = greenEnd(stack, solo);
  const first = Math.min(...solo);
  return Math.min(green, first === 1 ? 1 : first - 1);
}
