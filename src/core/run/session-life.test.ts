import { expect, test } from "vitest";
import {
  contextAt,
  HEAD,
  kinds,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import type { ExitFacts, Verdict } from "../session/session.ts";
import type { Run } from "./run.ts";
import {
  endAgain,
  endSession,
  sessionEnded,
  sessionExited,
  spawn,
  spawned,
  othersOf,
  takeOver,
} from "./session-life.ts";
import { severalAgents } from "../../../test/support/agents.ts";
import { accountOf } from "../agent-choice.ts";

const exit = (code: number | null): ExitFacts => ({ code, signal: null, startedAt: 0, endedAt: 9 });

const started: Parameters<typeof spawned>[1] = {
  kind: "session-spawned",
  at: 5,
  epoch: 1,
  pane: { socket: "pawl", tmuxSession: "dev-toy-42", pane: "%1" },
  process: { pid: 7, startTime: "1" },
  phaseLink: "linked",
  told: [],
};

test("a new life has the next epoch, knows its predecessor, and is registered", () => {
  const context = contextAt(3);
  const run = spawn(testRun({ session: testSession({ status: "ended" }) }), context);
  expect(run.session).toMatchObject({
    id: "dev-42-2@toy",
    epoch: 2,
    status: "spawning",
    predecessor: "dev-42-1@toy",
  });
  expect(context.output.signals).toMatchObject([
    {
      kind: "AGENT_REGISTERED",
      detail: { session_id: "dev-42-2@toy", predecessor_id: "dev-42-1@toy" },
    },
  ]);
});

test("the prompt tells what is open, and that is written down before anything runs", () => {
  const messages = [
    testMessage({ id: "m1", status: "acknowledged" }),
    testMessage({ id: "m2", status: "delivered" }),
    testMessage({ id: "m3" }),
  ];
  const run = spawn(testRun({ messages }), contextAt());
  expect(wants(testRun({ messages }), run).effects).toMatchObject([
    { effect: { tell: [{ id: "m2" }, { id: "m3" }] } },
  ]);
  expect(run.messages.map(({ status }) => status)).toEqual(["acknowledged", "told", "told"]);
});

test("a started session is live, and hears what was posted meanwhile", () => {
  const waiting = testRun({
    session: testSession({ status: "spawning" }),
    messages: [testMessage()],
  });
  const run = spawned(waiting, started, contextAt(5));
  expect(run.session).toMatchObject({ status: "live", process: { pid: 7 } });
  expect(kinds(wants(waiting, run))).toEqual(["deliver-message"]);
});

test("a phase path that someone else has taken is a warning", () => {
  const waiting = testRun({ session: testSession({ status: "spawning" }) });
  const run = spawned(waiting, { ...started, phaseLink: "taken" }, contextAt());
  expect(run.warnings[0]?.text).toContain("belongs to another program");
});

test("the start of a session that is being ended already changes nothing", () => {
  const run = testRun({ session: testSession({ status: "ending" }) });
  expect(spawned(run, started, contextAt())).toBe(run);
});

const landed: Partial<Run> = { outcome: { kind: "landed", commit: HEAD } };
const queued: Partial<Run> = { stage: { kind: "queued", head: HEAD } };

test.each<{ what: string; facts: ExitFacts | undefined; run?: Partial<Run>; verdict: Verdict }>([
  { what: "exit 0 while it is its turn", facts: exit(0), verdict: "incomplete" },
  { what: "exit 0 while it waits", facts: exit(0), run: queued, verdict: "completed" },
  {
    what: "exit 0 right after a phase",
    facts: exit(0),
    run: { stage: { kind: "fetching", ordinal: 1 } },
    verdict: "completed",
  },
  { what: "any other code", facts: exit(1), verdict: "crashed" },
  { what: "a signal", facts: { ...exit(null), signal: "SIGKILL" }, verdict: "crashed" },
  { what: "no exit record", facts: undefined, verdict: "crashed" },
  { what: "any end after the landing", facts: exit(1), run: landed, verdict: "completed" },
])("$what is $verdict", ({ facts, run = {}, verdict }) => {
  expect(sessionExited(testRun(run), facts, contextAt()).session?.verdict).toBe(verdict);
});

test("leftovers are ended and the work is saved, in that order and in the run's lane", () => {
  const run = sessionExited(testRun(), exit(1), contextAt());
  const output = wants(testRun(), run);
  expect(run.session?.status).toBe("ending");
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
  expect(new Set(output.effects.map(({ lane }) => lane))).toEqual(new Set(["run:toy/42.1"]));
});

test("a life is ended once, however many reasons there are", () => {
  const ending = endSession(testRun(), "killed");
  expect(endSession(ending, "timeout")).toBe(ending);
  expect(sessionExited(ending, exit(1), contextAt())).toBe(ending);
});

test("crashes outside the window are forgotten", () => {
  const { crashWindowMs } = testRun().config.limits;
  const crashes = [{ at: 1, head: undefined }];
  const run = sessionExited(testRun({ crashes }), exit(1), contextAt(crashWindowMs + 2));
  expect(run.crashes).toEqual([{ at: crashWindowMs + 2, head: undefined }]);
});

test("an end is told to others, unless its crash already was", () => {
  const end = (verdict: "killed" | "crashed"): string[] => {
    const context = contextAt();
    const session = testSession({ status: "ending", verdict });
    expect(sessionEnded(testRun({ session }), 1, context).session?.status).toBe("ended");
    return context.output.signals.map(({ kind }) => kind);
  };
  expect([end("killed"), end("crashed")]).toEqual([["AGENT_TERMINATED"], []]);
});

test("a life that could not be ended is ended again once no question is open", () => {
  const unended = testRun({ session: testSession({ status: "ending", unended: true }) });
  const run = endAgain(unended);
  expect(run.session?.unended).toBe(false);
  const output = wants(unended, run);
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
  const [, save] = output.effects;
  expect(output.cancelled, "what it saves, it saves when the agent is gone").toEqual([save?.key]);
});

test("the first choice may continue a run that a fallback has begun", () => {
  const config = severalAgents();
  const second = config.agents!.named["second"]!;
  const choice = { first: config.agent, why: "" };
  const run = testRun({ config: { ...config, agent: second }, choice });
  expect(othersOf(run).map(accountOf)).toEqual(["first", "third"]);
});

test("a run without a next agent stays as it is", () => {
  const run = testRun({ config: severalAgents() });
  expect(takeOver(run, contextAt(5))).toBe(run);
});

test("an agent that the configuration no longer has is not waited for", () => {
  const next = { account: "gone", reason: "429" };
  const run = takeOver(testRun({ config: severalAgents(), next }), contextAt(5));
  expect([run.next, run.agents]).toEqual([undefined, undefined]);
});
