// A branch that is being fetched, and what happens meanwhile.
import { expect, test } from "vitest";
import { HEAD, contextAt, stepped, tellKinds, testRun, wants } from "../../../test/support/run.ts";
import type { Event } from "../event.ts";
import { commitId } from "../ids.ts";
import { agentAsks } from "./escalate.ts";
import type { Run } from "./run.ts";
import { fetchOf, STAGES, withFetch, withoutFetch, markStage, type Stage } from "./stage.ts";

const NEW = commitId("aaa2");
const phase = { ordinal: 2, phase: "awaiting_ci", reason: undefined, at: 0 } as const;
const FETCHING: Stage = { kind: "fetching", ordinal: 2 };
const CHECKING: Stage = { kind: "checking", head: HEAD, key: "k", deadline: 9, fetch: 2 };
const tree = "t" as never;

const standing = (stage: Stage, change: Partial<Run> = {}): Run =>
  testRun({ phase, head: HEAD, stage, ...change });

const after = (run: Run, ...events: Event[]): Run =>
  events.reduce((now, event) => stepped(now, event).run, run);

const fetched = (head = NEW): Event => ({
  kind: "branch-fetched",
  at: 0,
  ordinal: 2,
  head,
  ahead: 1,
  dirty: [],
  landed: false,
});

const red: Event = {
  kind: "check-finished",
  at: 0,
  head: HEAD,
  tree,
  outcome: {
    kind: "failed",
    results: [{ gate: "test", exitCode: 1, durationMs: 1, output: "" }],
  } as never,
};

const help: Event = {
  kind: "spool-received",
  at: 0,
  epoch: 1,
  name: "1.json",
  text: JSON.stringify({ v: 1, kind: "help", at: 0, text: "Which one?" }),
} as never;

test("the fetch is wanted because of the stage, and no longer after it", () => {
  const wanted = (stage: Stage) =>
    wants(undefined, standing(stage))
      .effects.map(({ key }) => key)
      .filter((key) => key.includes(":fetch:"));
  expect(wanted(FETCHING)).toEqual(["run:toy/42.1:fetch:2"]);
  expect(wanted(CHECKING)).toEqual(["run:toy/42.1:fetch:2"]);
  expect(wanted(withoutFetch(CHECKING))).toEqual([]);
  expect(wanted({ kind: "working" })).toEqual([]);
});

test("where no agent works, nothing is fetched", () => {
  for (const kind of STAGES) {
    const stage = { kind, clearing: {}, escalation: {} } as unknown as Stage;
    const isWithAgent = !["claiming", "preparing", "landed", "blocking", "ended"].includes(kind);
    expect([kind, fetchOf(withFetch(stage, 3))]).toEqual([kind, isWithAgent ? 3 : undefined]);
    expect(fetchOf(withoutFetch(withFetch(stage, 3)))).toBe(undefined);
  }
});

test("what CI says of the last head does not make the agent's newer phase unread", () => {
  const run = after(standing(CHECKING), red);
  expect([run.stage, run.messages.at(-1)?.kind]).toEqual([FETCHING, "ci-failed"]);
  expect(after(run, fetched()).stage).toMatchObject({ kind: "publishing", head: NEW });
});

test("a branch with new commits leaves the merge queue that it entered while it was fetched", () => {
  const queued = after(standing(CHECKING), {
    kind: "check-finished",
    at: 0,
    head: HEAD,
    tree,
    outcome: { kind: "passed", results: [] } as never,
  });
  expect(queued.stage).toEqual({ kind: "queued", head: HEAD, fetch: 2 });
  const { run, output } = stepped(queued, fetched());
  expect([run.stage.kind, tellKinds(output)]).toEqual(["publishing", ["entry-withdrawn"]]);
});

test.each([FETCHING, CHECKING])("a question of the agent's ends the fetch: $kind", (stage) => {
  const { run, output } = stepped(standing(stage), help);
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { reason: "Which one?" } });
  expect(output.cancelled).toContain("run:toy/42.1:fetch:2");
  expect(after(run, fetched()).stage).toBe(run.stage);
});

test("a question that is asked again while the branch is fetched stays", () => {
  const asked = after(standing({ kind: "working" }), {
    kind: "phase-observed",
    at: 0,
    epoch: 1,
    stamp: "s1",
    text: "PHASE:escalate\nReason: Which one?\n",
  });
  const fetching: Run = { ...asked, stage: withFetch(asked.stage, 2) };
  const again = agentAsks(fetching, { reason: "Which one?", stays: true }, contextAt());
  expect(again.stage).toMatchObject({ kind: "escalated", escalation: { stays: true } });
  expect(after(again, fetched()).stage).toBe(again.stage);
});

test("a stop while the branch is fetched ends the session at once, and its work stays out of the queue", () => {
  const stopped = stepped(standing(FETCHING), { kind: "run-stopped", at: 0, by: "ada" });
  expect(stopped.run.session?.status).toBe("ending");
  expect(stopped.output.cancelled).not.toContain("run:toy/42.1:fetch:2");
  const checked = after(
    stopped.run,
    fetched(),
    { kind: "branch-published", at: 0, head: NEW, pr: 7 } as never,
    {
      kind: "check-finished",
      at: 0,
      head: NEW,
      tree,
      outcome: { kind: "passed", results: [] } as never,
    },
  );
  expect(checked.stage).toEqual({ kind: "queued", head: NEW, out: true });
});

test("the answer to a question lets a fetch of a later phase go on", () => {
  const asked = standing({
    kind: "escalated",
    escalation: { reason: "Again?", since: 0, deadline: 9 } as never,
    fetch: 2,
  });
  const run = after(asked, { kind: "escalation-answered", at: 0, by: "ada", text: "Yes." });
  expect(run.stage).toEqual(FETCHING);
});

const to = (run: Run, kind: "working" | "claiming", at: number): Run =>
  markStage(run, { ...run, stage: { kind } as Stage }, at);

test("a stage is marked when it is entered, and not again while it lasts", () => {
  const begun = markStage(undefined, testRun({ stage: { kind: "claiming" } }), 5);
  const worked = to(begun, "working", 9);
  expect(to(worked, "working", 12)).toHaveProperty("stages", [
    { kind: "claiming", at: 5 },
    { kind: "working", at: 9 },
  ]);
});

test("a run of an older version, which has no marks, is marked from its next stage on", () => {
  const old = testRun({ stage: { kind: "claiming" } });
  expect(to(old, "working", 9).stages).toEqual([{ kind: "working", at: 9 }]);
});

test("a run that never comes to an end keeps its first mark and the newest hundred", () => {
  let run = markStage(undefined, testRun({ stage: { kind: "claiming" } }), 0);
  for (let at = 1; at <= 300; at += 1) run = to(run, at % 2 === 1 ? "working" : "claiming", at);
  expect(run.stages).toHaveLength(100);
  expect(run.stages?.at(0)?.at).toBe(0);
  expect(run.stages?.at(-1)?.at).toBe(300);
  // Marks of 201 stages are gone, and each of them lasted one millisecond.
  expect(run.stages?.at(0)?.folded).toEqual({ working: 101, claiming: 100 });
});
