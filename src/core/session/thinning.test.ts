import { expect, test } from "vitest";
import { keptCheckpoints } from "./thinning.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = 1_000 * HOUR_MS;

/** One checkpoint a minute, the last one `now`. */
const everyMinute = (count: number, now = NOW) =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    at: now - (count - 1 - index) * MINUTE_MS,
  }));

test("everything of the last hour is kept", () => {
  expect(keptCheckpoints(everyMinute(60), NOW).size).toBe(60);
});

test("of the day before, one in ten minutes is kept; of earlier days one an hour", () => {
  const all = everyMinute(3 * 24 * 60);
  const kept = keptCheckpoints(all, NOW);
  const ages = all.filter(({ number }) => kept.has(number)).map(({ at }) => NOW - at);
  const between = (from: number, to: number): number =>
    ages.filter((age) => age > from && age <= to).length;
  expect(between(-1, HOUR_MS)).toBe(61);
  expect(between(HOUR_MS, 24 * HOUR_MS)).toBe(23 * 6);
  expect(between(24 * HOUR_MS, 72 * HOUR_MS)).toBeLessThanOrEqual(49);
});

test("the newest is kept however old it is, and thinning again takes nothing more", () => {
  const all = everyMinute(300, NOW - 90 * 24 * HOUR_MS);
  const kept = keptCheckpoints(all, NOW);
  expect(kept.has(300)).toBe(true);
  const left = all.filter(({ number }) => kept.has(number));
  expect(keptCheckpoints(left, NOW)).toEqual(kept);
});

test("what is kept later was kept before: no checkpoint comes back", () => {
  const all = everyMinute(2_000);
  const first = keptCheckpoints(all, NOW);
  const left = all.filter(({ number }) => first.has(number));
  const later = NOW + 7 * HOUR_MS;
  const second = keptCheckpoints(left, later);
  expect([...second].every((number) => first.has(number))).toBe(true);
});

test("nothing is kept of nothing", () => {
  expect(keptCheckpoints([], NOW).size).toBe(0);
});
