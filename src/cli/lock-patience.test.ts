import { expect, test } from "vitest";
import { LockPatience } from "./lock-patience.ts";

/** Asks every second who holds it, until it gives up or there is no holder left. */
function waitedFor(holders: (string | undefined)[]): number {
  let now = 0;
  const patience = new LockPatience(() => now);
  for (const holder of holders) {
    if (patience.isOver(holder)) return now;
    now += 1000;
  }
  return now;
}

const seconds = (count: number, holder: string | undefined) =>
  Array.from({ length: count }, () => holder);

test("commands that take turns are waited for, however many there are", () => {
  const turns = ["pid 1", "pid 2", "pid 3", "pid 4"].flatMap((holder) => seconds(8, holder));
  expect(waitedFor(turns)).toBe(32_000);
});

test("one holder that stays is given up on, also where its name is unknown now and then", () => {
  expect(waitedFor(seconds(60, "pid 1"))).toBe(11_000);
  expect(waitedFor(seconds(60, undefined))).toBe(11_000);
  const flickering = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? undefined : "pid 1"));
  expect(waitedFor(flickering)).toBeLessThanOrEqual(13_000);
});

test("no command waits for ever", () => {
  const many = Array.from({ length: 300 }, (_, n) => `pid ${n}`);
  expect(waitedFor(many)).toBe(91_000);
});
