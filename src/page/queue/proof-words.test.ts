import { expect, test } from "vitest";
import type { QueueView } from "../../api/queue.ts";
import { failingText, tookText } from "./proof-words.ts";

type Proven = Parameters<typeof tookText>[0];

const proven = (change: Partial<Proven>): Proven => ({
  at: "2026-03-01T12:00:00.000Z",
  entries: [1],
  result: "passed",
  flaky: false,
  remembered: false,
  detail: null,
  took_seconds: 0.2,
  ...change,
});

const viewOf = (result: Proven["result"], statuses: string[]): QueueView =>
  ({
    failure_rate: 0.13,
    picture: { proven: [proven({ result })] },
    past: statuses.map((status) => ({ status })),
  }) as unknown as QueueView;

test("a result that is known from an earlier test has no duration", () => {
  expect(tookText(proven({}))).toBe("took less than a second · ");
  expect(tookText(proven({ remembered: true }))).toBe("");
  expect(tookText(proven({ took_seconds: null }))).toBe("");
});

test("how many are expected to fail is said only while a failed branch is listed", () => {
  expect(failingText(viewOf("failed", ["merged", "merged"]))).toBeUndefined();
  expect(failingText(viewOf("passed", ["returned"]))).toBeUndefined();
  expect(failingText(viewOf("failed", ["merged", "returned"]))).toBe(
    "Pawl expects about 13 % to fail",
  );
});
