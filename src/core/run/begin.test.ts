import { expect, test } from "vitest";
import { contextAt, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import { hasBegun, noteBegun, nudged } from "./begin.ts";

const BEGIN = { text: "Begin.", epoch: 1 };

test("a session has begun once its hooks tell of a turn, however soon after the start", () => {
  const run = testRun();
  const session = testSession({ startedAt: 0, lastProgress: 1_000 });
  expect(hasBegun(session)).toBe(false);
  for (const kind of ["prompt", "tool", "stop", "question", "limit"] as const) {
    expect(noteBegun(run, kind).session).toMatchObject({ begun: true });
  }
  expect(hasBegun({ ...session, begun: true })).toBe(true);
  expect(hasBegun({ ...session, spoke: true })).toBe(true);
});

test("that its hooks and its statusline work does not mean that it has begun", () => {
  const run = testRun();
  for (const kind of ["started", "ping", "statusline", "context", "usage"] as const) {
    expect(noteBegun(run, kind)).toBe(run);
  }
});

test("a session that has begun is not told to begin, nor is its successor", () => {
  const waiting = testRun();
  expect(nudged(waiting, BEGIN, contextAt(30_000)).messages).toMatchObject([
    { kind: "nudge", text: "Begin.", begin: true },
  ]);
  const busy = noteBegun(waiting, "tool");
  expect(nudged(busy, BEGIN, contextAt(30_000))).toBe(busy);
  const successor = testRun({ session: testSession({ epoch: 2 }) });
  expect(nudged(successor, BEGIN, contextAt(30_000))).toBe(successor);
});

test("a person may nudge a session that works", () => {
  const busy = noteBegun(testRun(), "tool");
  expect(nudged(busy, { text: "Hurry." }, contextAt()).messages).toMatchObject([{ kind: "nudge" }]);
});

test("a session that begins before it was told to is not told any more", () => {
  const told = nudged(testRun(), BEGIN, contextAt(30_000));
  expect(noteBegun(told, "prompt").messages).toMatchObject([{ status: "void" }]);
  const other = testRun({ messages: [testMessage({ epoch: 1 })] });
  expect(noteBegun(other, "prompt").messages).toMatchObject([{ status: "queued" }]);
});
