import { describe, expect, test } from "vitest";
import { testConfig } from "../../test/support/config.ts";
import { emptyOutput } from "./effect.ts";
import { commitId, projectAggregate, projectName, runId } from "./ids.ts";
import type { IssueWork, Run } from "./run/run.ts";
import { requestRun } from "./run/request.ts";
import { openQueue, stepQueue } from "./merge-queue/step-queue.ts";
import { stepRun } from "./run/step-run.ts";
import type { Project } from "./project/project.ts";
import { step } from "./step.ts";
import { upgradeState } from "./upgrade.ts";

const known = { at: 5000, config: testConfig() };
const project = projectName("toy");

const run = (): Run =>
  requestRun({
    kind: "run-requested",
    at: 1000,
    project,
    run: runId("1.1"),
    issue: 1,
    title: "One",
    attempt: 1,
    lastEpoch: 0,
    slot: 0,
    config: testConfig(),
  });

/** As the journal gives it back: without what is undefined. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe("a state of this version", () => {
  test("stays the very same object", () => {
    const state = stored(run());
    expect(upgradeState(state, known)).toBe(state);
    const queue = stored(openQueue({ kind: "queue-opened", at: 1, project }));
    expect(upgradeState(queue, known)).toBe(queue);
  });
});

describe("a state of an older version", () => {
  test("gets what it lacks, and keeps what it has", () => {
    const { hook: _hook, longestPauseMs: _pause, ...older } = stored(run());
    const { stuck: _stuck, ...counts } = older.counts;
    const state = { ...older, counts: { ...counts, ciFixes: 2 } } as unknown as Run;
    const upgraded = upgradeState(state, known) as Run;
    expect(upgraded.counts).toMatchObject({ ciFixes: 2, stuck: 0 });
    expect(upgraded.hook.workPhase).toBe("investigation");
    expect(upgraded.longestPauseMs).toBe(0);
  });

  test("stands in the stage of a fetch that was beside its stage", () => {
    const older = (stage: Run["stage"], change: object = {}): Run =>
      ({ ...stored(run()), stage, fetching: 3, ...change }) as unknown as Run;
    const working = upgradeState(older({ kind: "working" }), known) as Run;
    expect(working).not.toHaveProperty("fetching");
    expect(working.stage).toEqual({ kind: "fetching", ordinal: 3 });
    const head = commitId("aaa1");
    const queued = upgradeState(older({ kind: "queued", head }), known) as Run;
    expect(queued.stage).toEqual({ kind: "queued", head, fetch: 3 });
    const wanted = stepRun(working, { kind: "clock-jumped", at: 9, gapMs: 1 }, emptyOutput());
    expect(wanted?.stage).toEqual({ kind: "fetching", ordinal: 3 });
  });

  test("keeps the settings of its runtime, which stood under the runtime's name", () => {
    const own = { mode: "ask", allow: ["Read"], model: "large" };
    const agent = { ...testConfig().agent, runtime: "known", known: own };
    const state = { ...stored(run()), config: { ...testConfig(), agent } } as Run;
    const upgraded = upgradeState(state, known) as Run;
    expect(upgraded.config.agent).toEqual({
      ...testConfig().agent,
      runtime: "known",
      model: "large",
      settings: { mode: "ask", allow: ["Read"] },
    });
    const registered = { kind: "project-registered", at: 1, name: project, root: "/toy" } as const;
    const upstream = { kind: "local", path: "/toy" } as const;
    const { state: plain } = step(projectAggregate(project), undefined, {
      ...registered,
      upstream,
    });
    const older = { ...plain, config: state.config } as Project;
    const config = (upgradeState(older, known) as Project).config;
    expect(config?.agent).toEqual(upgraded.config.agent);
  });

  test("keeps the limit of the one account that there was", () => {
    const registered = { kind: "project-registered", at: 1, name: project, root: "/toy" } as const;
    const upstream = { kind: "local", path: "/toy" } as const;
    const { state } = step(projectAggregate(project), undefined, { ...registered, upstream });
    const limited = { until: 9, reason: "429", answered: true };
    const older = { ...state, config: testConfig(), limited } as unknown as Project;
    const upgraded = upgradeState(older, known) as Project;
    expect(upgraded.accounts).toEqual({ command: limited });
    expect(upgraded).not.toHaveProperty("limited");
  });

  test("that waits for its landed agent waits as long as before", () => {
    const clearing = { issueSettled: false, sessionGone: false, workspaceGone: false };
    const stage = { kind: "landed", commit: commitId("c"), farewellAt: 7000, clearing };
    const { exitMs: _exit, ...limits } = testConfig().limits;
    const config = { ...testConfig(), limits: { ...limits, farewellMs: 1234 } };
    const state = { ...stored(run()), stage, config } as unknown as Run;
    const upgraded = upgradeState(state, known) as Run;
    expect(upgraded.stage).toEqual({ kind: "landed", commit: "c", exitBy: 7000, clearing });
    expect(upgraded.config.limits).toEqual({ ...limits, exitMs: 1234 });
  });

  test("takes the next event without a word about what it lacked", () => {
    const { hook: _hook, ...older } = stored(run());
    const upgraded = upgradeState(older as unknown as Run, known) as Run;
    const next = stepRun(upgraded, { kind: "claim-lost", at: 6000, why: "x" }, emptyOutput());
    expect(next?.outcome).toEqual({ kind: "lost", why: "x" });
  });

  test("that had an issue and nothing else to work on keeps it", () => {
    const { work, ...older } = stored(run());
    const { kind: _kind, ...issue } = work as IssueWork;
    const upgraded = upgradeState({ ...older, issue } as unknown as Run, known) as Run;
    expect(upgraded).toEqual(stored(run()));
  });

  test("of a queue keeps its entries", () => {
    const entry = {
      id: 1,
      branch: "pawl/1-one",
      head: commitId("a".repeat(40)),
      title: "One",
      priority: 0,
      requestedAt: 1,
      attempts: 1,
      troubles: 0,
    };
    const older = { kind: "queue", project, nextEntry: 2, entries: [entry], past: [] };
    const upgraded = upgradeState(older as never, known);
    const event = { kind: "daemon-started", at: 6000 } as const;
    const next = stepQueue(upgraded as never, event, emptyOutput());
    expect(next?.entries.map(({ branch }) => branch)).toEqual(["pawl/1-one"]);
  });

  test("in an unknown stage becomes a question to a person", () => {
    const state = { ...stored(run()), stage: { kind: "dreaming" } } as unknown as Run;
    const upgraded = upgradeState(state, known) as Run;
    expect(upgraded.stage).toMatchObject({
      kind: "escalated",
      escalation: { reason: expect.stringContaining("dreaming") },
    });
  });
});
