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
import { newEvidence } from "../session/evidence.ts";
import type { Verdict } from "../session/session.ts";
import { closed, keepBudget, opened, usageObserved, usageTold } from "./run-budget.ts";
import type { Run } from "./run.ts";
import { testConfig } from "../../../test/support/config.ts";

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
