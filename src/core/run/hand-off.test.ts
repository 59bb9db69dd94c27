import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  kinds,
  stepped,
  tellKinds,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { newContextUse } from "../session/context-use.ts";
import { newEvidence } from "../session/evidence.ts";
import type { Session, Verdict } from "../session/session.ts";
import {
  closed,
  contextChanged,
  countHandOff,
  handOffOverdue,
  keepBudget,
  leaveIfSaved,
  opened,
  savedForHandOff,
  usageObserved,
  usageTold,
  agentDenied,
  agentGiven,
  keepAgent,
} from "./hand-off.ts";
import { handOffDeadline, type Run } from "./run.ts";
import { testConfig } from "../../../test/support/config.ts";
import { severalAgents } from "../../../test/support/agents.ts";
import type { Effect } from "../effect.ts";
import { effectFailed, AGENT_UNUSABLE } from "./failures.ts";
import { stepRun } from "./step-run.ts";

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

const config = { ...testConfig(), budget: { run: { tokens: 100, usd: 5 } } };
const usedSpend = (tokens: number, usd = 0) => ({ tokens, usd });
const observed = (run: Run, tokens: number, usd = 0) =>
  stepped(run, { kind: "usage-observed", at: 9, epoch: 1, tokens, usd });
const until = 86_400_000;
const shut = (run: Run): Run => closed(run, { until, reason: "day" });

test("a life's sum is counted once, however often it is told, and the project hears of what is new", () => {
  const context = contextAt();
  const first = usageObserved(testRun(), usedSpend(60, 1), context);
  const second = usageObserved(first, usedSpend(70, 1.5), context);
  expect(second.spending).toMatchObject({ total: usedSpend(70, 1.5), life: { epoch: 1 } });
  expect(usageObserved(second, usedSpend(70, 1.5), context)).toBe(second);
  // A cost that begins again at nothing adds nothing until it is past the mark.
  expect(usageObserved(second, usedSpend(75, 0.5), context).spending?.total).toEqual(
    usedSpend(75, 1.5),
  );
  expect(context.output.tells.map(({ event }) => event)).toMatchObject([
    { kind: "usage-spent", role: "dev", tokens: 60, usd: 1 },
    { tokens: 10, usd: 0.5 },
    { tokens: 5, usd: 0 },
  ]);
});

test("what an agent told is kept beside an estimate of its cost, and its own money replaces that", () => {
  const parts = { input: 50, output: 10, cacheRead: 0, cacheWrite: 0 };
  const told = { ...usedSpend(60), model: "m", parts };
  const first = usageTold(testRun(), told, contextAt());
  expect(first.spending?.life).toEqual({ epoch: 1, ...usedSpend(60), told });
  const estimated = usageObserved(first, usedSpend(60, 1), contextAt());
  expect(estimated.spending?.life).toEqual({ epoch: 1, ...usedSpend(60, 1), told });
  expect(usageTold(estimated, told, contextAt())).toBe(estimated);
  const cheaper = usageTold(estimated, usedSpend(60, 0.5), contextAt());
  expect(cheaper.spending?.life).toMatchObject({ usd: 1, told: usedSpend(60, 0.5) });
  const next = { ...estimated, epoch: 2, session: testSession({ epoch: 2 }) };
  expect(usageTold(next, usedSpend(5), contextAt()).spending?.life).toEqual({
    epoch: 2,
    ...usedSpend(5),
    told: usedSpend(5),
  });
});

test("another life begins at nothing, and an earlier one has no say", () => {
  const first = observed(testRun(), 60).run;
  const next = { ...first, epoch: 2, session: testSession({ epoch: 2 }) };
  expect(observed(next, 90).run).toBe(next);
  expect(usageObserved(next, usedSpend(10), contextAt()).spending?.total.tokens).toBe(70);
});

test("a spent budget asks a person and lets the agent save; one not spent does neither", () => {
  expect(observed(testRun({ config }), 99, 4.99).run.stage.kind).toBe("working");
  const { run, output } = observed(testRun({ config }), 1, 5);
  expect(run.stage).toMatchObject({ escalation: { reason: "budget: run spent $5.00 of $5.00" } });
  expect(run.session?.handOff).toBeDefined();
  expect(kinds(output)).toEqual(["notify", "deliver-message", "checkpoint"]);
  expect(tellKinds(output)).toEqual(["usage-spent"]);
});

test("a person at the terminal is asked, but the session is left alone", () => {
  const { run } = observed(testRun({ config, session: testSession({ attached: true }) }), 100);
  expect([run.stage.kind, run.session?.handOff]).toEqual(["escalated", undefined]);
});

test("answering counts from what is spent by then; answering anything else does not", () => {
  const asked = observed(testRun({ config }), 350).run;
  const reply = { kind: "escalation-answered", at: 10, by: "ada", text: "go on" } as const;
  const { run } = stepped(asked, reply);
  expect([run.stage.kind, run.spending?.from]).toEqual(["working", usedSpend(350)]);
  const other = stepped({ ...asked, stage: { kind: "working" } }, { ...reply, at: 11 }).run;
  expect(other.spending?.from).toEqual(usedSpend(0));
});

test("what a life used is counted when it has ended, too", () => {
  const ending = testRun({ session: testSession({ status: "ending", verdict: "completed" }) });
  const event = { kind: "session-ended", at: 9, epoch: 1, used: usedSpend(40) } as const;
  expect(stepped({ ...ending, stage: { kind: "landed", ...LANDED } }, event).run.spending).toEqual({
    total: usedSpend(40),
    life: { epoch: 1, ...usedSpend(40) },
    from: usedSpend(0),
  });
});

const LANDED = {
  commit: "c" as never,
  exitBy: 0,
  clearing: { issueSettled: false, sessionGone: false, workspaceGone: false },
};

test("while the day is closed news waits, answers do not, and opening it tells the rest", () => {
  const news = testMessage({ id: "m1", kind: "ci-failed", status: "queued", epoch: undefined });
  const reply = { ...news, id: "m2", kind: "answer" as const };
  const run = shut(testRun({ messages: [news, reply] }));
  const context = contextAt(until);
  const open = opened(run, context);
  expect(open.closed).toBeUndefined();
  expect(open.session?.lastProgress).toBe(until);
  expect(kinds(wants(run, open))).toEqual(["deliver-message", "deliver-message"]);
  expect(opened(open, context)).toBe(open);
});

test("who has stopped and waits for the budget is neither idle nor silent nor over age", () => {
  const evidence = { ...newEvidence(), stopped: { at: 0, background: 0 } };
  const run = shut(testRun({ session: testSession({ evidence }) }));
  const { run: later } = stepped(run, { kind: "deadline-passed", at: 40 * 3_600_000 });
  expect(later.session?.status).toBe("live");
  const { run: old } = stepped(run, { kind: "deadline-passed", at: 49 * 3_600_000 });
  expect([old.stage.kind, old.session?.verdict]).toEqual(["working", "timeout"]);
});

test("no session starts while the day is closed, not even after a back-off", () => {
  const session = testSession({ status: "ended", verdict: "crashed" });
  const run = shut(testRun({ session, respawnAt: 5 }));
  expect(kinds(stepped(run, { kind: "deadline-passed", at: 5 }).output)).toEqual([]);
  const free = { ...run, respawnAt: undefined };
  const { output } = stepped(free, { kind: "budget-opened", at: 6 });
  expect(kinds(output)).toEqual(["spawn-session"]);
});

test.each<[string, Partial<Run>, Verdict]>([
  ["news", { messages: [testMessage({ kind: "mail" })] }, "completed"],
  ["a crash", {}, "crashed"],
  ["the end of a back-off", { respawnAt: 5 }, "crashed"],
])("a spent run that waits for others starts no life for %s", (_, change, verdict) => {
  const stage = { kind: "queued", head: HEAD } as const;
  const session = testSession({ status: "ended", verdict });
  const run = testRun({ config, stage, session, ...change });
  const event = { kind: "deadline-passed", at: 9 } as const;
  expect(stepped(run, event).run.session?.status).toBe("spawning");
  const spending = {
    total: usedSpend(100),
    life: { epoch: 1, ...usedSpend(100) },
    from: usedSpend(0),
  };
  expect(stepped({ ...run, spending }, event).run.session?.status).toBe("ended");
});

test("without a budget every agent may start", () => {
  const run = usageObserved(testRun(), usedSpend(1e9), contextAt());
  expect(keepBudget(run, contextAt())).toBe(run);
});

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
