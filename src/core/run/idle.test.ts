import { expect, test } from "vitest";
import { contextAt, HEAD, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence, type Evidence } from "../session/evidence.ts";
import type { Session } from "../session/session.ts";
import { beginIdle, idleDeadline, idleLooked } from "./idle.ts";
import type { Run } from "./run.ts";

const STOPPED: Partial<Evidence> = {
  stopped: { at: 0, background: 0 },
  idle: { checks: 2, lookAt: 10 },
};

const idle = (
  change: Partial<Run> = {},
  facts: Partial<Evidence> = {},
  session?: Partial<Session>,
): Run => {
  const evidence = { ...newEvidence(), ...STOPPED, ...facts };
  return testRun({ session: testSession({ evidence, ...session }), ...change });
};

test.each<[string, Run]>([
  ["a stopped agent that writes a phase", idle({ stage: { kind: "queued", head: HEAD } })],
  ["one whose branch is being fetched", idle({ fetching: 1 })],
  ["one with tasks in the background", idle({}, { stopped: { at: 0, background: 1 } })],
  ["one that works", idle({}, { stopped: undefined })],
  ["one that asks", idle({}, { question: { id: "q", text: "?", choices: [] } })],
  ["one with a person at it", idle({}, {}, { attached: true })],
  [
    "one that was not told its news yet",
    idle({ messages: [testMessage({ status: "queued", epoch: 1 })] }),
  ],
  ["a held one", idle({ held: { by: "ada", at: 0 } })],
  [
    "one that is being handed off",
    idle({}, {}, { handOff: { requestedAt: 0, deadline: 9, saved: false } }),
  ],
])("%s is not idle", (_, run) => {
  expect(idleDeadline(run)).toBeUndefined();
  expect(idleLooked(run, contextAt(10))).toBe(run);
});

test("the third look in a row nudges, and an unread nudge is not repeated", () => {
  expect(idleDeadline(idle())).toBe(10);
  expect(idleLooked(idle(), contextAt(9)).messages).toEqual([]);
  const nudged = idleLooked(idle(), contextAt(10));
  expect(nudged.messages).toMatchObject([{ kind: "nudge" }]);
  expect(nudged.session?.evidence.idle).toEqual({ checks: 0, lookAt: 10_010 });
  const unread = idle({ messages: [testMessage({ kind: "nudge", status: "delivered" })] });
  expect(idleLooked(unread, contextAt(10))).toMatchObject({
    counts: { nudges: 1 },
    messages: [{ id: "m1" }],
  });
});

test("after two nudges the session ends as incomplete, reported as idle_prompt", () => {
  const run = idle();
  const twice: Run = { ...run, counts: { ...run.counts, nudges: 2 } };
  const ended = idleLooked(twice, contextAt(10));
  expect(ended.session?.verdict).toBe("incomplete");
  expect(ended.stage).toMatchObject({
    escalation: { reason: expect.stringMatching(/^idle_prompt/) },
  });
});

test("an agent that waits for a usage limit is looked at when the limit is over", () => {
  const run = idle({}, { limit: { until: 500, reason: "" } });
  expect(beginIdle(run, contextAt(20)).session?.evidence.idle).toEqual({
    checks: 0,
    lookAt: 10_500,
  });
});

test("being woken after a limit is not held against the agent, however often", () => {
  const limit = { until: 5, reason: "" };
  const run = idle({}, { limit });
  const twice: Run = { ...run, counts: { ...run.counts, nudges: 2 } };
  const woken = idleLooked(twice, contextAt(10));
  expect(woken).toMatchObject({ counts: { nudges: 2 }, messages: [{ kind: "nudge" }] });
  expect(woken.stage.kind).toBe("working");
});
