// Checkpoints: how long one takes with 2,000 and 100,000 files, warm, and what watching ten idle
// workspaces costs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createProjectGit } from "../../src/adapters/git-cli/git.ts";
import { commitId } from "../../src/core/ids.ts";
import { ms, print, quantiles } from "./place.ts";

const ROUNDS = 20;
const IDLE = 10;
const IDLE_MS = 20_000;

export async function benchCheckpoint(): Promise<void> {
  await withFiles(2_000, (place) => measure(place, "< 60 ms"));
  await withFiles(100_000, (place) => measure(place, "< 300 ms"));
}

type Place = ReturnType<typeof createProjectGit> & { files: number; root: string; base: string };

async function withFiles(files: number, work: (place: Place) => Promise<void>): Promise<void> {
  const root = mkdtempSync("/tmp/pawl-bench-");
  try {
    const repo = join(root, "repo");
    for (let n = 0; n < files; n += 1) {
      const folder = join(repo, `d${n % 100}`, `e${Math.floor(n / 100) % 10}`);
      if (n < 1_000) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `f${n}.txt`), `file ${n}\n`.repeat(10));
    }
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", repo, ...args], { encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("-c", "user.name=bench", "-c", "user.email=bench@pawl.invalid", "commit", "-q", "-m", "b");
    const both = createProjectGit({
      hub: join(root, "hub.git"),
      upstream: { kind: "local", path: repo },
      target: "main",
      config: { sign: false, author: undefined },
      crash: () => undefined,
    });
    await work({ ...both, files, root, base: await both.git.fetchTarget() });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(place: Place, target: string): Promise<void> {
  const { git, checkpoints, root, base, files } = place;
  const workspace = join(root, "workspace");
  await git.prepareWorkspace({ path: workspace, branch: "pawl/1", from: commitId(base) });
  const save = () => git.checkpoint({ workspace, identity: "dev-1", reason: "bench" });
  await save();
  let count = 0;
  const changed = await timed(async () => {
    writeFileSync(join(workspace, "d1", "e0", "f1.txt"), `changed ${(count += 1)}\n`);
    await save();
  });
  const same = await timed(save);
  const title = `checkpoint, ${files.toLocaleString("en")} files`;
  print(`${title}, one changed`, `p50 ${ms(changed.p50)}, max ${ms(changed.max)}`);
  print(`${title}, none changed`, `p50 ${ms(same.p50)}, max ${ms(same.max)}`);
  // As the daemon does it: what changed is known from a watch.
  const watching = Promise.withResolvers<void>();
  const watch = checkpoints.watch({ workspace, onChange: () => watching.resolve() });
  await watching.promise;
  const identity = "dev-1";
  const quick = () => git.checkpoint({ workspace, identity, reason: "bench", quick: true });
  await quick();
  const seen = await timed(async () => {
    writeFileSync(join(workspace, "d1", "e0", "f1.txt"), `changed ${(count += 1)}\n`);
    const outcome = await quick();
    if (outcome.kind !== "saved") throw new Error("the change was not seen");
  });
  watch.close();
  print(`${title}, one changed, watched`, `p50 ${ms(seen.p50)}, max ${ms(seen.max)}`, target);
}

async function timed(work: () => Promise<unknown>): Promise<ReturnType<typeof quantiles>> {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    samples.push(performance.now() - began);
  }
  return quantiles(samples);
}

/** Everything it costs: this process and the gits it starts. */
export async function benchIdleWorkspaces(): Promise<void> {
  await withFiles(2_000, async ({ git, checkpoints, root, base }) => {
    const watches: { close(): void }[] = [];
    let told = 0;
    for (let n = 0; n < IDLE; n += 1) {
      const workspace = join(root, `workspace-${n}`);
      await git.prepareWorkspace({ path: workspace, branch: `pawl/${n}`, from: commitId(base) });
      await git.checkpoint({ workspace, identity: `dev-${n}`, reason: "bench" });
      watches.push(checkpoints.watch({ workspace, onChange: () => (told += 1) }));
    }
    // Until the folders are watched: each says so once.
    while (told < IDLE) await wait(50);
    const before = cpu();
    await wait(IDLE_MS);
    const share = ((cpu() - before) / IDLE_MS) * 100;
    for (const watch of watches) watch.close();
    print(`${IDLE} idle workspaces of 2,000 files, CPU of one core`, `${share.toFixed(2)} %`);
  });
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
