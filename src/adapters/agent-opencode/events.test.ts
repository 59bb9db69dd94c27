import { expect, test } from "vitest";
import { readEvent } from "./events.ts";
import { turnEnd } from "./turn-end.ts";

test("a compaction, a plan and a tool are told in the words of a host", () => {
  expect(readEvent({ type: "session.compacted", properties: {} })).toEqual([{ kind: "compact" }]);
  const todos = [{ content: "Test", status: "pending" }];
  expect(readEvent({ type: "todo.updated", properties: { todos } })).toEqual([
    { kind: "plan", entries: ["Test (pending)"] },
  ]);
  const state = { status: "error", input: { command: "make" } };
  const part = { id: "p", messageID: "m", type: "tool", tool: "bash", state };
  expect(readEvent({ type: "message.part.updated", properties: { part } })).toEqual([
    { kind: "tool", id: "p", name: "bash", title: "make", status: "failed", file: undefined },
  ]);
});

const failed = (data: object) => turnEnd({ name: "APIError", data }, 1000);

test("an error of the API is a limit, a wait or a question, by what opencode says of it", () => {
  const message = "no";
  expect(failed({ message, statusCode: 429 })).toMatchObject({ kind: "limited", until: undefined });
  expect(failed({ message, statusCode: 503, isRetryable: true })).toEqual({
    kind: "limited",
    until: 31_000,
    reason: "APIError: no",
  });
  expect(failed({ message: "fetch failed" })).toMatchObject({ kind: "limited", until: 31_000 });
  expect(failed({ message: "fetch failed", statusCode: 400 })).toMatchObject({ kind: "failed" });
  expect(failed({ message, statusCode: 401 })).toEqual({ kind: "failed", reason: "APIError: no" });
  expect(turnEnd({ name: "MessageAbortedError", data: {} }, 1000)).toEqual({ kind: "interrupted" });
});
