// The merge queue: how fast it lands, how often it runs the gate, what it costs beyond the gate; the
// conflict matrix; and a long queue.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createGit } from "../../src/adapters/git-cli/git.ts";
import { commitId, projectName, queueAggregate } from "../../src/core/ids.ts";
import { plan } from "../../src/core/merge-queue/plan.ts";
import type { Queue } from "../../src/core/merge-queue/queue.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { fewestRuns } from "../../test/support/fewest-runs.ts";
import { add, createWorld, runUntil, type World } from "../../test/support/queue-world.ts";
import {
  FILES,
  landByQueue,
  landBySequence,
  landUntested,
  makeMergeWorld,
  type Landed,
  type MergeWorld,
} from "./merge-world.ts";
import { MAIN, ms, print, quantiles } from "./place.ts";

const BRANCHES = [10, 20, 50, 100];
const RED = [0, 5, 20];
const LONG = 500;

export async function benchMerge(): Promise<void> {
  const before = load();
  print(`${FILES} files written into a new folder of /tmp`, ms(writing()));
  for (const branches of BRANCHES) {
    for (const red of RED) {
      const name = `${branches} branches, ${red} % red`;
      await measure(name, { branches, red }, landByQueue);
    }
    for (const red of RED) {
      const name = `  rebase → test → merge, one by one, ${red} % red`;
      await measure(name, { branches, red }, landBySequence);
    }
    await measure(`  merge one by one, untested`, { branches, red: 0 }, landUntested);
  }
  await benchMatrix();
  await benchLong();
  print("load average of the machine, before / after", `${before} / ${load()}`);
}

/**
 * Every check writes as many. On ext4 without a journal it takes ten times as long for half a minute
 * after many files were removed: then measure where /tmp is in memory (CONTRIBUTING.md).
 */
function writing(): number {
  const folder = mkdtempSync("/tmp/pawl-bench-files-");
  const start = performance.now();
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(folder, `${index}`), "x");
  const tookMs = performance.now() - start;
  rmSync(folder, { recursive: true });
  return tookMs;
}

/** Beside others every program waits for its turn: the figures of one run compare with each other. */
const load = (): string => (loadavg()[0] ?? 0).toFixed(1);

async function measure(
  name: string,
  size: { branches: number; red: number },
  land: (world: MergeWorld) => Promise<Landed> | Landed,
): Promise<void> {
  const world = makeMergeWorld(size.branches, size.red);
  try {
    const { wallMs, landed, gateRuns, gateMs } = await land(world);
    const perLanding = (wallMs - gateMs) / landed;
    const figures = [
      `${(wallMs / 1000).toFixed(1)} s`,
      `${landed} landed`,
      `${(gateRuns / size.branches).toFixed(2)} gate runs per entry`,
      ...(land === landByQueue ? [compared({ ...size, blamed: size.branches - landed })] : []),
      `${ms(perLanding)} beyond the gate per landing`,
    ];
    print(name, figures.join(", "), land === landByQueue ? "< 60 ms" : "");
  } finally {
    world.close();
  }
}

/** What one by one takes, with a second run of what is red; and the mean of the best plan there is. */
function compared(size: { branches: number; red: number; blamed: number }): string {
  const { branches, blamed } = size;
  const best = fewestRuns(branches, size.red / 100) + blamed;
  const perEntry = (runs: number): string => (runs / branches).toFixed(2);
  return `(one by one ${perEntry(branches + blamed)}, optimum ${perEntry(best)})`;
}

/** Every pair of 50 branches and the target: with nothing warmed up, and again. */
async function benchMatrix(): Promise<void> {
  const world = makeMergeWorld(50, 0);
  try {
    const { repo, env } = world;
    const git = createGit({
      hub: join(world.folder, "hub.git"),
      upstream: { kind: "local", path: repo },
      target: "main",
      config: { sign: false, author: undefined },
      crash: noCrash,
      env,
    });
    const target = await git.fetchTarget();
    const adopted = await git.adoptBranches({ branches: world.names });
    const heads = adopted.map((one) => one?.head);
    const fresh = heads.filter((head) => head !== undefined);
    const time = async (): Promise<number> => {
      const start = performance.now();
      await git.conflicts({ target, fresh, others: [] });
      return performance.now() - start;
    };
    const first = await time();
    print(
      "conflict matrix of 50 branches, first / again",
      `${ms(first)} / ${ms(await time())}`,
      "< 1 s",
    );
  } finally {
    world.close();
  }
}

async function benchLong(): Promise<void> {
  const world = createWorld({});
  for (let index = 0; index < LONG; index += 1) add(world, `entry-${index}`);
  print(`plan of a queue of ${LONG}`, ms(longestPlan(world)), "< 100 ms");
  const home = mkdtempSync("/tmp/pawl-bench-long-");
  try {
    await writeJournal(home, world.queue);
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, PAWL_HOME: home };
    const time = (...argv: string[]): number => {
      const samples = Array.from({ length: 11 }, () => {
        const start = performance.now();
        const place = { cwd: home, env: { ...env, NODE_COMPILE_CACHE: join(home, "cache") } };
        const done = spawnSync(process.execPath, argv, place);
        if (done.status !== 0) throw new Error(done.stderr.toString());
        return performance.now() - start;
      });
      return quantiles(samples).p50;
    };
    print("bare node -e 0", ms(time("-e", "0")));
    const list = time(MAIN, "--project", "p", "merge-queue", "list");
    print(`merge-queue list of ${LONG}, no daemon`, ms(list), "< 150 ms");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The slowest of the plans between the first survey and the first landing. */
function longestPlan(world: World): number {
  let longest = 0;
  for (const kind of ["survey-queue", "build-candidate", "check-candidate", "land"] as const) {
    runUntil(world, kind);
    for (let round = 0; round < 5; round += 1) {
      const start = performance.now();
      plan(world.queue, world.now);
      longest = Math.max(longest, performance.now() - start);
    }
  }
  return longest;
}

async function writeJournal(home: string, queue: Queue): Promise<void> {
  const store = await openSqliteStore(join(home, "pawl.db"));
  const name = projectName("p");
  const project = {
    kind: "project",
    name,
    root: home,
    upstream: { kind: "local", path: home },
    config: undefined,
    backlog: [],
    active: [],
  };
  await store.transaction(async (tx) => {
    await tx.save(queueAggregate(name), withCommits(queue), undefined);
    await tx.save("project:p", project as never, undefined);
  });
  await store.close();
}

/** As long as real ones are. */
const withCommits = (queue: Queue): Queue => ({
  ...queue,
  entries: queue.entries.map((entry) => ({ ...entry, head: commitId(entry.head.padEnd(40, "0")) })),
});
