import { expect, test } from "vitest";
import type { Entry, PastEntry } from "../../core/merge-queue/queue.ts";
import { hasResult, queueCheckView } from "./checks.ts";

const waiting = { id: 3, branch: "docs", head: "abc" } as unknown as Entry;
const left = (end: object): PastEntry => ({ ...waiting, leftAt: 0, end }) as PastEntry;
const merged = left({ kind: "merged", commit: "def" });
const red = left({ kind: "returned", reason: { kind: "tests", outcome: { results: [] } } });

test("a branch that the queue landed has passed, and one that it sent back for its tests has failed", () => {
  expect([merged, red, waiting].map((entry) => queueCheckView(entry).state)).toEqual([
    "passed",
    "failed",
    "none",
  ]);
});

test("an entry that waits, or that was taken out, tells nothing of its tests", () => {
  const out = left({ kind: "withdrawn", why: "removed" });
  expect([merged, red, waiting, out].map(hasResult)).toEqual([true, true, false, false]);
});
