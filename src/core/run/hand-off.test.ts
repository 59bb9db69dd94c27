import { expect, test } from "vitest";
import { HEAD, contextAt, kinds, testRun, testSession, wants } from "../../../test/support/run.ts";
import { newContextUse } from "../session/context-use.ts";
import { newEvidence } from "../session/evidence.ts";
import type { Session } from "../session/session.ts";
import {
  contextChanged,
  countHandOff,
  handOffOverdue,
  leaveIfSaved,
  savedForHandOff,
} from "./hand-off.ts";
import { handOffDeadline, type Run } from "./run.ts";

const used = (percent: number, session: Partial<Session> = {}, change: Partial<Run> = {}): Run =>
  testRun({
    session: testSession({
      evidence: { ...newEvidence(), context: { ...newContextUse(), percent } },
      ...session,
    }),
    ...change,
  });

const REQUESTED = { requestedAt: 0, deadline: 60_000, saved: false };

test("high use asks the agent to leave, urgently, and saves its work", () => {
  const context = contextAt(5);
  const run = contextChanged(used(85), context);
  expect(run.session?.handOff).toEqual({ requestedAt: 5, deadline: 60_005, saved: false });
  expect(run.messages).toMatchObject([{ kind: "hand-off", urgent: true }]);
  expect(run.messages[0]?.text).toMatch(/^GUARDIAN: Save your work and exit cleanly/);
  expect(kinds(wants(used(85), run))).toEqual(["deliver-message", "checkpoint"]);
  expect(context.output.signals.map(({ kind }) => kind)).toEqual([
    "CONTEXT_WARNING",
    "HANDOFF_REQUESTED",
  ]);
  const again = contextAt(6);
  expect(contextChanged(run, again)).toBe(run);
  expect(again.output.signals).toEqual([]);
});

test.each<[string, Run]>([
  ["a person at the terminal", used(85, { attached: true })],
  ["a held session", used(85, {}, { held: { by: "ada", at: 0 } })],
  ["a session that is ending", used(85, { status: "ending" })],
  ["work that has landed", used(85, {}, { outcome: { kind: "landed", commit: HEAD } })],
])("%s is not handed off", (_, run) => {
  expect(contextChanged(run, contextAt()).session?.handOff).toBeUndefined();
});

test("a context that was emptied is spoken of again when it fills", () => {
  const medium = contextChanged(used(72), contextAt());
  expect(medium.messages).toMatchObject([{ kind: "checkpoint-now", urgent: false }]);
  const { session } = medium;
  if (session === undefined) throw new Error("it has a session");
  const at = (percent: number): Run => ({
    ...medium,
    session: {
      ...session,
      evidence: {
        ...session.evidence,
        context: { ...session.evidence.context, percent },
      },
    },
  });
  expect(contextChanged(at(69), contextAt()).messages).toHaveLength(1);
  const emptied = contextChanged(at(10), contextAt());
  expect(emptied.session?.evidence.context.announced).toBe("none");
});

test("who has saved and stopped is let go; who has only stopped is not", () => {
  const evidence = { ...newEvidence(), stopped: { at: 1, background: 0 } };
  const run = testRun({ session: testSession({ handOff: REQUESTED, evidence }) });
  expect(leaveIfSaved(run)).toBe(run);
  expect(leaveIfSaved(savedForHandOff(run)).session?.verdict).toBe("handed_off");
  expect(savedForHandOff(testRun())).toEqual(testRun());
});

test("a minute later it is ended, unless a person has come", () => {
  const run = testRun({ session: testSession({ handOff: REQUESTED }) });
  expect(handOffDeadline(run)).toBe(60_000);
  expect(handOffDeadline(testRun())).toBeUndefined();
  const context = contextAt(60_000);
  expect(handOffOverdue(run, context).session).toMatchObject({
    status: "ending",
    verdict: "handed_off",
  });
  expect(context.output.signals).toMatchObject([{ kind: "ORCHESTRATOR_STUCK" }]);
  const attended = testRun({ session: testSession({ handOff: REQUESTED, attached: true }) });
  const left = handOffOverdue(attended, contextAt(60_000));
  expect(left.session).toMatchObject({ status: "live", handOff: undefined });
});

test("hand-offs that change nothing end with a person, those that do never", () => {
  let run = testRun();
  for (let round = 1; round <= 3; round += 1) run = countHandOff(run, contextAt());
  expect(run.stage.kind).toBe("working");
  expect(countHandOff({ ...run, checkpoint: HEAD }, contextAt()).counts.handOffs).toBe(1);
  expect(countHandOff(run, contextAt()).stage.kind).toBe("escalated");
});
