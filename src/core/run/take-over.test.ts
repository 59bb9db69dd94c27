import { expect, test } from "vitest";
import { contextAt, kinds, tellKinds, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence } from "../session/evidence.ts";
import { agentDenied, agentGiven, keepAgent } from "./take-over.ts";
import type { Run } from "./run.ts";
import { severalAgents } from "../../../test/support/agents.ts";
import type { Effect } from "../effect.ts";
import { effectFailed, AGENT_UNUSABLE } from "./failures.ts";
import { stepRun } from "./step-run.ts";

const limit = { until: 3_600_000, reason: "429" };
const limitedRun = (change: Partial<Run> = {}): Run =>
  testRun({
    config: severalAgents(),
    session: testSession({ evidence: { ...newEvidence(), limit } }),
    ...change,
  });

test("a run that is limited for long asks for another agent, once", () => {
  const context = contextAt(5);
  const asked = keepAgent(limitedRun(), context);
  expect(context.output.tells.map(({ event }) => event)).toEqual([
    { kind: "agent-wanted", at: 5, run: "42.1", options: ["second", "third"] },
  ]);
  const again = contextAt(6);
  expect(keepAgent(asked, again)).toBe(asked);
  expect(again.output.tells).toEqual([]);
});

const past = { account: "second", until: 1, reason: "429" };

test.each<[string, Run, number]>([
  [
    "that was passed on six times",
    limitedRun({ agents: Array.from({ length: 6 }, () => past) }),
    5,
  ],
  ["whose limit is over soon", limitedRun(), limit.until - 60_000],
  ["whose terminal a person sits at", limitedRun({ held: { by: "ann", at: 1 } }), 5],
  ["without another agent", limitedRun({ config: severalAgents({ fallback: [] }) }), 5],
  ["that is stopped", limitedRun({ stopped: { by: "ann", at: 1 } }), 5],
])("a run %s waits", (_, run, at) => {
  const context = contextAt(at);
  expect(keepAgent(run, context)).toBe(run);
  expect(context.output.tells).toEqual([]);
});

test("the agent that is given starts in the same workspace, without the conversation of the other", () => {
  const asked = keepAgent(limitedRun(), contextAt(5));
  const given = { kind: "agent-given", at: 5, account: "second" } as const;
  const ending = stepRun(asked, given, contextAt(5).output)!;
  expect(ending.session).toMatchObject({ status: "ending", verdict: "handed_off" });
  const context = contextAt(6);
  const next = stepRun(ending, { kind: "session-ended", at: 6, epoch: 1 }, context.output)!;
  expect(next.session).toMatchObject({ epoch: 2, agent: "second", isOther: true });
  expect(next.config.agent.runtime).toBe("second");
  expect(next.counts.handOffs).toBe(0);
  expect(next.agents).toEqual([{ account: "first", until: 6, reason: "429" }]);
  expect(next.warnings.at(-1)?.text).toBe(
    "first cannot continue (429): second continues in the same workspace",
  );
  const spawn = context.output.effects.find(({ effect }) => effect.kind === "spawn-session");
  expect(spawn?.effect).not.toHaveProperty("resumes");
  expect(kinds(context.output)).toContain("say-on-issue");
});

test("a run that waits for CI is continued by the other agent only when there is news", () => {
  const head = testRun().head!;
  const stage = { kind: "queued", head } as const;
  const ended = testSession({ status: "ended", evidence: { ...newEvidence(), limit } });
  const asked = keepAgent(limitedRun({ stage, session: ended }), contextAt(5));
  const given = { kind: "agent-given", at: 5, account: "second" } as const;
  const next = stepRun(asked, given, contextAt(5).output)!;
  expect(next).toMatchObject({ epoch: 1, next: { account: "second" } });
});

test("where none is free a limited run waits, and asks again when an account is opened", () => {
  const denied = agentDenied(keepAgent(limitedRun(), contextAt(5)), contextAt(5));
  expect(denied).toMatchObject({ seeks: { denied: true }, stage: { kind: "working" } });
  const context = contextAt(9);
  stepRun(denied, { kind: "account-opened", at: 9, accounts: ["second"] }, context.output);
  expect(tellKinds(context.output)).toEqual(["agent-wanted"]);
});

const exit = { code: 127, signal: null, startedAt: 0, endedAt: 0 };

test("an agent whose program is missing is replaced, and new runs do not try it for a while", () => {
  const run = testRun({ config: severalAgents() });
  const context = contextAt(5);
  const gone = stepRun(run, { kind: "session-exited", at: 5, epoch: 1, exit }, context.output)!;
  const sought = stepRun(gone, { kind: "session-ended", at: 6, epoch: 1 }, context.output)!;
  expect(sought.seeks).toMatchObject({ cannotStart: true });
  expect(context.output.tells.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ kind: "account-limited", account: "first", cannotStart: true }),
  );
  const given = { kind: "agent-given", at: 6, account: "third" } as const;
  const next = stepRun(sought, given, contextAt(6).output)!;
  expect([next.session?.agent, next.session?.isOther, next.crashes]).toEqual(["third", true, []]);
});

test("an agent that cannot work is replaced before it starts; without another a person is asked", () => {
  const effect: Effect = { kind: "spawn-session", run: testRun().id, epoch: 1, tell: [] };
  const obligation = { key: "k", lane: "l", effect };
  const unusable = { obligation, code: AGENT_UNUSABLE, message: "not signed in" };
  const spawning = testSession({ status: "spawning" });
  const context = contextAt(5);
  const run = testRun({ config: severalAgents(), session: spawning });
  const sought = effectFailed(run, unusable, context);
  expect(tellKinds(context.output)).toEqual(["account-limited", "agent-wanted"]);
  expect(agentDenied(sought, contextAt(5)).stage).toMatchObject({
    kind: "escalated",
    escalation: { reason: "not signed in" },
  });
  const alone = effectFailed(testRun({ session: spawning }), unusable, contextAt(5));
  expect(alone.stage.kind).toBe("escalated");
  const passedOn = { ...run, agents: Array.from({ length: 6 }, () => past) };
  expect(effectFailed(passedOn, unusable, contextAt(5)).stage.kind).toBe("escalated");
});

const unusable = (run: Run) => {
  const text = JSON.stringify({ v: 1, kind: "help", text: "not signed in", unusable: true });
  const context = contextAt(5);
  const event = { kind: "spool-received", at: 5, epoch: 1, name: "1.json", text } as const;
  return { said: stepRun(run, event, context.output)!, told: tellKinds(context.output) };
};

test("an agent that says that it is not signed in is replaced; without another a person is asked", () => {
  const { said, told } = unusable(testRun({ config: severalAgents() }));
  expect(told).toEqual(["account-limited", "agent-wanted"]);
  expect(said).toMatchObject({ seeks: { cannotStart: true }, stage: { kind: "working" } });
  const left = { ...exit, code: 0 };
  const gone = stepRun(
    said,
    { kind: "session-exited", at: 6, epoch: 1, exit: left },
    contextAt(6).output,
  )!;
  const ended = stepRun(gone, { kind: "session-ended", at: 7, epoch: 1 }, contextAt(7).output)!;
  expect([ended.epoch, ended.crashes]).toEqual([1, []]);
  const given = { kind: "agent-given", at: 8, account: "second" } as const;
  const next = stepRun(ended, given, contextAt(8).output)!;
  expect(next.session).toMatchObject({ epoch: 2, agent: "second" });
  const alone = unusable(testRun());
  expect(alone.said.stage).toMatchObject({ escalation: { reason: "not signed in" } });
});

test("an answer that the run no longer waits for changes nothing", () => {
  const run = limitedRun();
  const given = { kind: "agent-given", at: 5, account: "second" } as const;
  expect(agentGiven(run, given, contextAt(5))).toBe(run);
  expect(agentDenied(run, contextAt(5))).toBe(run);
});
