// An hour of looking at a project on a forge, on a clock that needs no time: how many requests the
// forge gets, by its own count. Git's are counted as two for each look at the target: that is what
// a fetch that brings nothing costs over HTTP.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import {
  commitId,
  projectAggregate,
  projectName,
  runAggregate,
  runId,
} from "../../src/core/ids.ts";
import type { Project } from "../../src/core/project/project.ts";
import { createLoop } from "../../src/daemon/engine/loop.ts";
import { createObserve } from "../../src/daemon/observing/observe.ts";
import type { Ports, ProjectPorts } from "../../src/daemon/engine/ports.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { Store } from "../../src/ports/store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { testConfig } from "./config.ts";
import { DEV_TOKEN, REVIEW_TOKEN, startFakeGitea, type FakeGitea } from "./fake-gitea/server.ts";
import { testRun } from "./run.ts";

const HOUR_MS = 3_600_000;
const GIT_REQUESTS = 2;
const TURNS = 5;
const NAME = projectName("toy");
const HEAD = commitId("a".repeat(40));

/** `runs`: so many PRs wait for their review. */
export async function requestsInAnHour({
  runs,
}: {
  runs: number;
}): Promise<{ api: number; git: number }> {
  const bare = mkdtempSync("/tmp/pawl-forge-hour-");
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", bare, ...author, ...args], { encoding: "utf8" }).trim();
  git("init", "-q", "--bare", ".");
  const tree = git("hash-object", "-t", "tree", "-w", "/dev/null");
  const commit = (text: string): string => git("commit-tree", tree, "-m", text);
  git("update-ref", "refs/heads/main", commit("main"));
  const head = commit("work");
  for (let run = 1; run <= runs; run += 1) git("update-ref", `refs/heads/pawl/${run}`, head);
  const fake = await startFakeGitea(bare);
  const store = createMemoryStore();
  try {
    await fill(store, { fake, runs, head });
    return await anHour(store, fake);
  } finally {
    await fake.close();
    await store.close();
    rmSync(bare, { recursive: true });
  }
}

async function anHour(store: Store, fake: FakeGitea): Promise<{ api: number; git: number }> {
  let now = 1_000_000_000_000;
  let timer: { at: number; call: () => void } | undefined;
  const clock = {
    now: () => now,
    monotonicMs: () => now,
    boot: "",
    after: (delayMs: number, call: () => void) => {
      timer = { at: now + delayMs, call };
      return { cancel: () => undefined };
    },
  };
  let git = 0;
  const fetchTarget = async () => {
    git += GIT_REQUESTS;
    return HEAD;
  };
  const own = {
    git: { fetchTarget, outside: async () => [] },
    forge: forgeOf(fake, clock.now),
  } as unknown as ProjectPorts;
  let isLooking = false;
  const project = async (): Promise<ProjectPorts> => {
    isLooking = true;
    return own;
  };
  const ports = { clock, project } as unknown as Ports;
  const observe = createObserve({
    store,
    ports,
    clock,
    loop: createLoop({ store, crash: noCrash, onCommitted: () => undefined }),
    scope: () => true,
    readConfig: async ({ config = testConfig() }) => ({ kind: "valid", config, source: "target" }),
    onError: (error) => {
      throw error;
    },
    onRecovered: () => undefined,
  });
  await observe.look(NAME);
  const before = fake.seen.length;
  const end = now + HOUR_MS;
  [git] = [0];
  while (timer !== undefined && timer.at <= end) {
    const { at, call } = timer;
    now = at;
    timer = undefined;
    isLooking = false;
    call();
    // A round is not awaited: whether it looks shows once its reads from memory are done.
    for (let turn = 0; turn < TURNS; turn += 1) await immediate();
    while (isLooking && observe.lookedAt(NAME) !== now) await immediate();
  }
  observe.stop();
  return { api: fake.seen.length - before, git };
}

const forgeOf = (fake: FakeGitea, now: () => number) =>
  createGiteaForge({
    url: fake.url,
    owner: "team",
    repo: "project",
    token: { value: DEV_TOKEN, name: "FORGE_TOKEN" },
    reviewToken: { value: REVIEW_TOKEN, name: "FORGE_REVIEW_TOKEN" },
    secrets: [],
    factory: async () => ({ id: "f", home: "h1" }),
    now,
    wait: async () => undefined,
    crash: noCrash,
  });

/** Issues 1 to n are worked on, and PRs n + 1 to 2 n are theirs; another one waits for its turn. */
async function fill(
  store: Store,
  { fake, runs, head }: { fake: FakeGitea; runs: number; head: string },
): Promise<void> {
  const at = Date.now() - HOUR_MS;
  const made = { title: "t", body: "", author: "ann", labels: [], assignees: [] };
  const open = { ...made, state: "open" as const, created: at, updated: at };
  for (let number = 1; number <= 2 * runs + 1; number += 1) {
    const isPr = number > runs && number <= 2 * runs;
    const pr = { branch: `pawl/${number - runs}`, base: "main", merged: false, head };
    fake.state.issues.push({ ...open, number, ...(isPr ? { pr } : {}) });
  }
  const forge = { kind: "gitea", url: fake.url, owner: "team", repo: "project" } as const;
  const config = { ...testConfig(), forge, review: { ...testConfig().review, required: true } };
  const numbers = Array.from({ length: runs }, (_, index) => index + 1);
  const project: Project = {
    kind: "project",
    name: NAME,
    root: "/nowhere",
    upstream: { kind: "remote", url: fake.url, path: "/nowhere" },
    config,
    configSource: "target",
    configProblem: undefined,
    paused: undefined,
    backlog: [],
    observedAt: undefined,
    tasks: [],
    active: numbers.map((issue) => ({ run: runId(`${issue}.1`), slot: issue, issue })),
    leaving: [],
    history: {},
  };
  await store.transaction(async (tx) => {
    await tx.save(projectAggregate(NAME), project, undefined);
    for (const issue of numbers) {
      const id = runId(`${issue}.1`);
      const run = testRun({ id, config, pr: issue + runs });
      await tx.save(runAggregate(NAME, id), run, undefined);
    }
  });
}
