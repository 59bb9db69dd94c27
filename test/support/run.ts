// A run as tests need one: taken as far as a stage, with the output of the next step at hand.
import type { Context } from "../../src/core/context.ts";
import { emptyOutput, type Output } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import type { RunEvent } from "../../src/core/run/run-event.ts";
import { commitId, projectName, runId, sessionId } from "../../src/core/ids.ts";
import type { Message } from "../../src/core/run/message.ts";
import { reconcile } from "../../src/core/run/obligations.ts";
import { requestRun } from "../../src/core/run/request.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Stage } from "../../src/core/run/stage.ts";
import { stepRun } from "../../src/core/run/step-run.ts";
import { newEvidence } from "../../src/core/session/evidence.ts";
import type { Session } from "../../src/core/session/session.ts";
import { assert } from "../../src/lib/assert.ts";
import { testConfig } from "./config.ts";

export const PROJECT = projectName("toy");
export const HEAD = commitId("aaa1");
export const BASE = commitId("base");

export const requested = (): Extract<RunEvent, { kind: "run-requested" }> => ({
  kind: "run-requested",
  at: 0,
  project: PROJECT,
  run: runId("42.1"),
  issue: 42,
  title: "Add a greeting",
  attempt: 1,
  lastEpoch: 0,
  slot: 0,
  config: testConfig(),
});

export const contextAt = (at = 0): Context => ({ at, output: emptyOutput() });

export const testSession = (change: Partial<Session> = {}): Session => ({
  id: sessionId(PROJECT, "dev-42", change.epoch ?? 1),
  epoch: 1,
  status: "live",
  startedAt: 0,
  process: { pid: 1001, startTime: "1" },
  pane: { socket: "pawl", tmuxSession: "dev-toy-42", pane: "%1" },
  lastSeen: 0,
  lastProgress: 0,
  attached: false,
  phaseStamp: undefined,
  spoke: false,
  exit: undefined,
  verdict: undefined,
  unended: false,
  predecessor: undefined,
  after: undefined,
  evidence: newEvidence(),
  handOff: undefined,
  ...change,
});

/** An agent works in its first life, unless the test says otherwise. */
export const testRun = (change: Partial<Run> = {}): Run => ({
  ...requestRun(requested()),
  stage: { kind: "working" },
  base: BASE,
  epoch: 1,
  session: testSession(),
  ...change,
});

export const testMessage = (change: Partial<Message> = {}): Message => ({
  id: "m1",
  kind: "ci-failed",
  text: "CI failed.",
  at: 0,
  urgent: false,
  status: "queued",
  epoch: undefined,
  ...change,
});

export const escalated = (reason = "Help?"): Stage => ({
  kind: "escalated",
  escalation: {
    reason,
    since: 0,
    remindAt: 100,
    deadline: 200,
    again: undefined,
    unreviewed: undefined,
    question: undefined,
  },
});

/** What a run that has changed like this now wants, and no longer wants. */
export function wants(before: Run | undefined, after: Run): Output {
  const output = emptyOutput();
  reconcile(before, after, output);
  return output;
}

export type Stepped = { run: Run; output: Output };

export function stepped(run: Run | undefined, event: Event): Stepped {
  const output = emptyOutput();
  const next = stepRun(run, event, output);
  assert(next !== undefined, "the run does not exist");
  return { run: next, output };
}

export const kinds = (output: Output): string[] => output.effects.map(({ effect }) => effect.kind);
export const tellKinds = (output: Output): string[] => output.tells.map(({ event }) => event.kind);
