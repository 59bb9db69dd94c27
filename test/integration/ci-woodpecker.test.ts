// Woodpecker's adapter against the fake server over real HTTP.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createServerCi, type ToldRun } from "../../src/adapters/ci-server/server-ci.ts";
import { createWoodpecker } from "../../src/adapters/ci-server/woodpecker.ts";
import { systemClock } from "../../src/adapters/clock-system/system-clock.ts";
import { createHttpClient } from "../../src/adapters/shared/http-client.ts";
import type { CheckOutcome } from "../../src/core/check.ts";
import type { WoodpeckerEvent } from "../../src/core/config.ts";
import { commitId, treeId } from "../../src/core/ids.ts";
import { ciServerContract } from "../../src/ports/ci-server.contract.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import { distort, distortion, type Distortion } from "../support/distort.ts";
import {
  startFakeWoodpecker,
  type FakeStep,
  type FakeWoodpecker,
} from "../support/fake-woodpecker.ts";
import { serverCiUnderTest } from "../support/server-ci-under-test.ts";

const COMMIT = commitId("a".repeat(40));
const TREE = treeId("b".repeat(40));
const POLL_MS = 20;

let woodpecker: FakeWoodpecker;
/** What each pipeline ends with, in order; the last one goes on for ever. */
let plan: (FakeStep[] | "runs")[];
/** The process dies there, once. */
let dieAt: string | undefined;
let told: Map<string, ToldRun>;

beforeEach(async () => {
  plan = [];
  dieAt = undefined;
  told = new Map();
  woodpecker = await startFakeWoodpecker({
    token: "secret-token",
    repo: { id: 7, fullName: "ann/toy" },
    heads: () => [{ branch: "pawl/1", commit: COMMIT }],
    run: ({ number }) => {
      const wanted = plan[number - 1] ?? plan.at(-1) ?? "runs";
      return wanted === "runs" ? undefined : wanted;
    },
  });
});

afterEach(() => woodpecker[Symbol.asyncDispose]());

const httpTo = (url: string, token: string) =>
  createHttpClient({
    server: "Woodpecker",
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
    access: "set WOODPECKER_TOKEN",
    secrets: [token],
    timeoutMs: 5000,
    now: () => Date.now(),
    wait: async () => undefined,
  });

function woodpeckerOf(token: string, events: WoodpeckerEvent[]) {
  const { url } = woodpecker;
  const http = httpTo(url, token);
  return createWoodpecker({ http, url, repo: "ann/toy", events: async () => events });
}

function server(token = "secret-token", events: WoodpeckerEvent[] = ["push"]) {
  return createServerCi({
    verdicts: woodpeckerOf(token, events),
    told: {
      get: async (commit) => told.get(commit),
      put: async (commit, run) => void told.set(commit, run),
    },
    clock: systemClock,
    crash: async (point) => {
      if (point !== dieAt) return;
      dieAt = undefined;
      throw new Error(`died at ${point}`);
    },
    pollMs: POLL_MS,
  });
}

const judge = (
  key: string,
  of = server(),
  more: { timeoutMs?: number; isPr?: boolean } = {},
): Promise<CheckOutcome> =>
  of.judge({
    key,
    commit: COMMIT,
    tree: TREE,
    isPr: true,
    signal: new AbortController().signal,
    ...more,
  });

const red = (log: string, exitCode = 1): FakeStep[] => [
  { name: "clone", exitCode: 0 },
  { name: "test", exitCode, log },
];
const green: FakeStep[] = [
  { name: "clone", exitCode: 0 },
  { name: "test", exitCode: 0 },
];

/** Its two contexts are the pipelines of a push and of its pull request, with a step of that name. */
ciServerContract("Woodpecker's pipelines, over HTTP,", async () => {
  const events: WoodpeckerEvent[] = ["push", "pull_request"];
  const results = new Map<string, FakeStep[] | undefined>();
  const fake = await startFakeWoodpecker({
    token: "t",
    repo: { id: 7, fullName: "ann/toy" },
    heads: () => [],
    run: ({ commit, event }) => results.get(`${commit} ${event}`),
  });
  const { url } = fake;
  const verdicts = createWoodpecker({
    http: httpTo(url, "t"),
    url,
    repo: 7,
    events: async () => events,
  });
  const { server: tested, pass, stop } = serverCiUnderTest(verdicts);
  let commits = 0;
  return {
    server: tested,
    contexts: events,
    async commit() {
      commits += 1;
      const id = String(commits).padStart(40, "0");
      return { commit: commitId(id), tree: treeId(id) };
    },
    async report(commit, { context: event, state }) {
      const known = fake.pipelines.some((one) => one.commit === commit && one.event === event);
      if (!known) fake.add({ event, commit, branch: "pawl/1" });
      if (state === "queued" || state === "running") return;
      results.set(`${commit} ${event}`, [{ name: event, exitCode: state === "success" ? 0 : 1 }]);
    },
    pass,
    async close() {
      stop();
      await fake[Symbol.asyncDispose]();
    },
  };
});

test("a look at a red pipeline has its step and its log, and restarts nothing", async () => {
  plan = [red("1 of 3 tests failed"), green];
  const own = server();
  for (const word of [await own.look(COMMIT), await own.look(COMMIT)]) {
    expect(word).toMatchObject({
      kind: "failed",
      results: [{ gate: "clone" }, { gate: "test", passed: false, logTail: "1 of 3 tests failed" }],
    });
  }
  expect(woodpecker.pipelines).toHaveLength(1);
  expect(woodpecker.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
  expect(await judge("first", own)).toMatchObject({ kind: "failed" });
});

test("a look says why there is no verdict: infrastructure that failed, or a server that is down", async () => {
  plan = [[{ name: "clone", exitCode: 128, log: "fatal: unable to access" }]];
  const own = server();
  expect(await own.look(COMMIT)).toEqual({
    kind: "open",
    why: "step clone could not fetch the code (exit code 128)",
  });
  woodpecker.trouble.status = 503;
  expect(await own.look(COMMIT)).toEqual({ kind: "open", why: expect.stringContaining("503") });
  delete woodpecker.trouble.status;
  await expect(server("wrong").look(COMMIT)).rejects.toMatchObject({ code: expect.any(String) });
});

test("a green pipeline passes, step by step, with the address where people look", async () => {
  plan = [green];
  const outcome = await judge("k");
  expect(outcome).toMatchObject({
    kind: "passed",
    tree: TREE,
    results: [
      { gate: "clone", passed: true },
      { gate: "test", passed: true, durationMs: 3000 },
    ],
  });
  const [first] = outcome.kind === "passed" ? outcome.results : [];
  expect(first?.logFile).toBe(`${woodpecker.url}/repos/7/pipeline/1`);
});

test("a red one comes with the step, its exit code and the end of its log, read by the step's id", async () => {
  plan = [red("building\n\u001b[31m1 of 3 tests failed\u001b[0m", 2)];
  expect(await judge("k")).toMatchObject({
    kind: "failed",
    results: [
      { gate: "clone", passed: true },
      { gate: "test", passed: false, exitCode: 2, logTail: "building\n1 of 3 tests failed" },
    ],
  });
});

test("it is waited for while it is unknown, pending or running", async () => {
  plan = ["runs"];
  const verdict = judge("k");
  await woodpeckerAsked(3);
  plan = [green];
  expect(await verdict).toMatchObject({ kind: "passed" });
});

test("it is waited for while the server is down, and a stir has it looked at at once", async () => {
  plan = [green];
  woodpecker.trouble.status = 503;
  const own = server();
  const verdict = judge("k", own);
  await woodpeckerAsked(2);
  delete woodpecker.trouble.status;
  own.stir();
  expect(await verdict).toMatchObject({ kind: "passed" });
});

test("a failed clone is an infrastructure failure: asked again it is restarted under a new number", async () => {
  plan = [[{ name: "clone", exitCode: 128, log: "fatal: unable to access" }], green];
  expect(await judge("first")).toMatchObject({
    kind: "infra",
    message: "step clone could not fetch the code (exit code 128)",
  });
  expect(await judge("second")).toMatchObject({ kind: "passed" });
  expect(woodpecker.pipelines.map(({ number, parent }) => [number, parent])).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

test("a suspected infrastructure failure counts once, then it is the code's failure", async () => {
  plan = [red("curl: (28) Connection timed out")];
  expect(await judge("first")).toMatchObject({ kind: "infra" });
  expect(await judge("second")).toMatchObject({ kind: "failed" });
  expect(woodpecker.pipelines).toHaveLength(2);
});

test("the same key asked again, as after a crash, restarts nothing and is told the same", async () => {
  plan = [red("no")];
  const first = await judge("k");
  expect(await judge("k")).toEqual(first);
  expect(woodpecker.pipelines).toHaveLength(1);
});

test.each(["ci-server.restart:before", "ci-server.restart:after"])(
  "a crash at %s leads to one restart",
  async (point) => {
    plan = [red("no"), green];
    await judge("first");
    dieAt = point;
    await expect(judge("second")).rejects.toThrow(point);
    expect(await judge("second")).toMatchObject({ kind: "passed" });
    expect(woodpecker.pipelines).toHaveLength(2);
  },
);

test("a push and its pull request are judged both, each by its newest pipeline", async () => {
  plan = [green, "runs"];
  woodpecker.add({ event: "push", commit: COMMIT, branch: "pawl/1" });
  woodpecker.add({ event: "pull_request", commit: COMMIT, branch: "pawl/1" });
  woodpecker.add({ event: "deployment", commit: COMMIT, branch: "pawl/1" });
  const verdict = judge("k");
  await woodpeckerAsked(4);
  plan = [green, red("of the pull request"), "runs"];
  expect(await verdict).toMatchObject({ kind: "failed" });
});

test("between the pipeline of the push and that of its pull request, nothing passes", async () => {
  plan = [green, "runs"];
  const both = server("secret-token", ["push", "pull_request"]);
  expect(await judge("k", both, { timeoutMs: 50 })).toMatchObject({
    kind: "infra",
    message: expect.stringContaining("still waiting for a pipeline of the event pull_request"),
  });
  // A candidate of the merge queue has no pull request.
  expect(await judge("k", both, { isPr: false })).toMatchObject({ kind: "passed" });
  woodpecker.add({ event: "pull_request", commit: COMMIT, branch: "pawl/1" });
  expect(await judge("k", both, { timeoutMs: 50 })).toMatchObject({
    message: expect.stringContaining("still waiting for pipeline 2 (running)"),
  });
  plan = [green, green];
  expect(await judge("k", both)).toMatchObject({ kind: "passed" });
});

test("a pipeline that runs is waited for, also where a newer one of its event is green", async () => {
  plan = ["runs", green];
  woodpecker.add({ event: "push", commit: COMMIT, branch: "pawl/1" });
  woodpecker.add({ event: "push", commit: COMMIT, branch: "pawl/queue/1" });
  expect(await judge("k", server(), { timeoutMs: 50 })).toMatchObject({
    message: expect.stringContaining("still waiting for pipeline 1 (running)"),
  });
});

test("a pipeline that is red without a red step says why", async () => {
  plan = [[{ name: "test", exitCode: 0, state: "success" }]];
  await judge("k");
  const [pipeline] = woodpecker.pipelines;
  pipeline!.status = "declined";
  told.clear();
  expect(await judge("k")).toMatchObject({
    kind: "failed",
    results: [{ gate: "test" }, { gate: "pipeline", reason: "the pipeline's status is declined" }],
  });
});

test("a token that is not accepted is an infrastructure failure, and the next step is named", async () => {
  plan = [green];
  const outcome = await judge("k", server("wrong"));
  expect(outcome).toMatchObject({ kind: "infra", message: expect.stringContaining("401") });
  expect(JSON.stringify(outcome)).toContain("set WOODPECKER_TOKEN");
});

test("what takes longer than its limit could not run, and says what was waited for", async () => {
  plan = ["runs"];
  expect(await judge("k", server(), { timeoutMs: 50 })).toMatchObject({
    kind: "infra",
    message: expect.stringContaining("still waiting for pipeline 1 (running)"),
  });
});

test("a check that is cancelled ends at once", async () => {
  plan = ["runs"];
  const called = new AbortController();
  const verdict = server().judge({
    key: "k",
    commit: COMMIT,
    tree: TREE,
    isPr: true,
    signal: called.signal,
  });
  await woodpeckerAsked(2);
  called.abort();
  await expect(verdict).rejects.toMatchObject({ code: "aborted" });
});

async function woodpeckerAsked(times: number): Promise<void> {
  await expect.poll(() => woodpecker.requests.length).toBeGreaterThanOrEqual(times);
}

test("an answer with one place distorted crashes nothing, and red is never told as green", async () => {
  plan = [[{ name: "test", exitCode: 1, log: "red" }]];
  const holds = async (how: Distortion): Promise<void> => {
    woodpecker.distort((body) => distort(body, how).value);
    const got = await woodpeckerOf("secret-token", ["push"])
      .verdict(COMMIT, true)
      .catch((error: unknown) => error);
    const isForeseen = !(got instanceof Error) || got instanceof OperationError;
    expect(isForeseen, String(got)).toBe(true);
    expect(got).not.toMatchObject({ kind: "passed" });
  };
  await fc.assert(fc.asyncProperty(distortion, holds), { numRuns: 200 });
});
