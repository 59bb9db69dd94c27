import { expect, test } from "vitest";
import type { Event } from "../../core/event.ts";
import { checkpointReason } from "./checkpoint-reason.ts";

const told = (fact: Record<string, unknown>): Event => ({
  kind: "spool-received",
  at: 0,
  epoch: 1,
  name: "n",
  text: JSON.stringify({ v: 1, at: 0, ...fact }),
});

test.each([
  ["a tool call", { kind: "tool", tool: "Edit" }, "tool call"],
  ["the end of a turn", { kind: "stop", background: 0 }, "end of a turn"],
  ["what it works on", { kind: "hook", work_summary: "s" }, "hook"],
  ["a statusline", { kind: "statusline", clock: "10:00:00", percent: 3 }, undefined],
  ["what it has used", { kind: "usage", tokens: 1, usd: 0 }, undefined],
  ["nonsense", { kind: "nonsense" }, undefined],
])("%s is followed by a checkpoint only where files may have changed", (_, fact, reason) => {
  expect(checkpointReason(told(fact))).toBe(reason);
});

test("a phase is followed by a checkpoint, and an acknowledged message is not", () => {
  const phase = { kind: "phase-observed", at: 0, epoch: 1, text: "PHASE:done", stamp: "1" };
  expect(checkpointReason(phase as Event)).toBe("phase");
  const ack = { kind: "message-acknowledged", at: 0, epoch: 1, id: "m1" };
  expect(checkpointReason(ack as Event)).toBeUndefined();
});
