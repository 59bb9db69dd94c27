import { expect, test } from "vitest";
import { nextInstant } from "./next-instant.ts";

const at = (text: string): number => Date.parse(text);
const cron = (pattern: string, timeZone = "UTC") => ({ kind: "cron", pattern, timeZone }) as const;
const next = (wanted: Parameters<typeof nextInstant>[0]): string =>
  new Date(nextInstant(wanted).next ?? 0).toISOString();

test("cron counts in UTC unless another zone is written, also over a change of clocks", () => {
  const after = at("2026-03-28T12:00:00Z");
  const plain = { name: "n", jitterMs: 0, after };
  expect(next({ ...plain, when: cron("0 6 * * *") })).toBe("2026-03-29T06:00:00.000Z");
  expect(next({ ...plain, when: cron("0 6 * * *", "Europe/Berlin") })).toBe(
    "2026-03-29T04:00:00.000Z",
  );
  expect(next({ ...plain, when: cron("0 7 * * 1") })).toBe("2026-03-30T07:00:00.000Z");
});

test("every is counted from the same beginning whenever it is asked", () => {
  const when = { kind: "every", everyMs: 20 * 60_000 } as const;
  const plain = { name: "n", jitterMs: 0, when };
  expect(next({ ...plain, after: at("2026-03-01T12:01:00Z") })).toBe("2026-03-01T12:20:00.000Z");
  expect(next({ ...plain, after: at("2026-03-01T12:20:00Z") })).toBe("2026-03-01T12:40:00.000Z");
});

test("jitter moves every instant by the same amount, and skips none", () => {
  const wanted = { name: "gardener", when: cron("0 6 * * *"), jitterMs: 600_000 };
  const first = nextInstant({ ...wanted, after: at("2026-03-01T05:00:00Z") }).next ?? 0;
  const second = nextInstant({ ...wanted, after: first }).next ?? 0;
  expect(first - at("2026-03-01T06:00:00Z")).toBeGreaterThan(0);
  expect(first - at("2026-03-01T06:00:00Z")).toBeLessThan(600_000);
  expect(second - first).toBe(24 * 3_600_000);
  expect(nextInstant({ ...wanted, after: at("2026-03-01T06:00:00Z") }).next).toBe(first);
});

test("what never comes says so", () => {
  const when = cron("0 0 30 2 *");
  expect(nextInstant({ name: "n", when, jitterMs: 0, after: 0 })).toMatchObject({
    next: undefined,
    problem: '"0 0 30 2 *" never comes',
  });
});
