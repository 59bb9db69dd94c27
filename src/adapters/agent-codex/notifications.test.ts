import { expect, test } from "vitest";
import { readNotification } from "./notifications.ts";

const place = { threadId: "t", turnId: "u" };

test("a compaction is told when it is complete", () => {
  const item = { type: "contextCompaction", id: "i" };
  expect(readNotification("item/started", { ...place, item })).toEqual([]);
  expect(readNotification("item/completed", { ...place, item })).toEqual([{ kind: "compact" }]);
});

test("the context is told as far as its size is known", () => {
  const told = (modelContextWindow: number | null) =>
    readNotification("thread/tokenUsage/updated", {
      ...place,
      tokenUsage: { last: { totalTokens: 50 }, modelContextWindow },
    });
  expect(told(200)).toEqual([{ kind: "context", percent: 25 }]);
  expect([told(null), told(0)]).toEqual([[], []]);
});

test("a command that was declined has failed", () => {
  const item = { type: "commandExecution", id: "i", command: "make", status: "declined" };
  const event = { kind: "tool", id: "i", name: "command", title: "make", file: undefined };
  expect(readNotification("item/started", { ...place, item })).toEqual([
    { ...event, status: "begun" },
  ]);
  expect(readNotification("item/completed", { ...place, item })).toEqual([
    { ...event, status: "failed" },
  ]);
});

test("what this version does not know is passed over", () => {
  expect(readNotification("moon/risen", place)).toEqual([]);
});
