// A repository of 2,000 files with branches to land, and three ways of landing them: Pawl's queue,
// the plain sequence rebase → test → merge in a worktree, and merging one by one without a gate.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFactory } from "../../src/daemon/host/factory.ts";
import { noLog } from "../../src/daemon/host/no-log.ts";
import { workOnQueue } from "../../src/daemon/offline/work-on-queue.ts";
import { noCrash } from "../../src/lib/crash-point.ts";

export const FILES = 2000;
const FOLDERS = 40;
const LINES = 100;
const GATE_S = 0.5;

export type Landed = {
  wallMs: number;
  landed: number;
  /** Runs of the gate, repeats of red ones included, and how long they took in sum. */
  gateRuns: number;
  gateMs: number;
};

export type MergeWorld = ReturnType<typeof makeMergeWorld>;

/** `red`: how many of a hundred branches fail by themselves. */
export function makeMergeWorld(branches: number, red: number) {
  const folder = mkdtempSync("/tmp/pawl-bench-merge-");
  const repo = join(folder, "repo");
  const log = join(folder, "gate-runs");
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const git = (cwd: string, args: string[], expect: number[] = [0]): number => {
    const done = spawnSync("git", args, { cwd, env, encoding: "utf8" });
    if (done.status !== null && expect.includes(done.status)) return done.status;
    throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  };
  writeRepository(repo, log);
  git(folder, ["init", "-q", "-b", "main", "repo"]);
  git(repo, ["config", "user.name", "bench"]);
  git(repo, ["config", "user.email", "bench@pawl.invalid"]);
  git(repo, ["add", "-A"]);
  git(repo, ["commit", "-q", "-m", "begin"]);
  const names = Array.from({ length: branches }, (_, index) => `branch-${index}`);
  importBranches({ repo, env, names, red });
  return {
    folder,
    repo,
    env,
    names,
    git,
    runs: (): Pick<Landed, "gateRuns" | "gateMs"> => readRuns(log),
    close: (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function writeRepository(repo: string, log: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const folder = join(repo, `package-${index % FOLDERS}`);
    mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: LINES }, (_, line) => `file ${index} line ${line}`);
    writeFileSync(join(folder, `file-${index}.txt`), `${lines.join("\n")}\n`);
  }
  const gate = [
    "begin=$(date +%s%N)",
    `sleep ${GATE_S}`,
    `echo $(($(date +%s%N) - begin)) >> ${log}`,
    "! ls red-* >/dev/null 2>&1",
  ];
  writeFileSync(join(repo, "test.sh"), `${gate.join("\n")}\n`);
  writeFileSync(
    join(repo, "pawl.toml"),
    '[project]\nname = "bench"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\ncommand = "sh test.sh"\n',
  );
  writeFileSync(log, "");
}

/** One commit each, on a file of its own; all at once, because a hundred checkouts take longer than the bench. */
function importBranches(world: {
  repo: string;
  env: Record<string, string>;
  names: string[];
  red: number;
}): void {
  // Exactly so many, spread evenly.
  const count = Math.ceil((world.names.length * world.red) / 100);
  const every = world.names.length / Math.max(1, count);
  const reds = new Set(Array.from({ length: count }, (_, n) => Math.floor((n + 0.5) * every)));
  const now = Math.floor(Date.now() / 1000);
  const stream = world.names.map((name, index) => {
    const files = [[`package-${index % FOLDERS}/file-${index}.txt`, `changed by ${name}\n`]];
    if (reds.has(index)) files.push([`red-${index}`, "red\n"]);
    return [
      `commit refs/heads/${name}`,
      `committer bench <bench@pawl.invalid> ${now + index} +0000`,
      block(`Work of ${name}`),
      "from refs/heads/main^0",
      ...files.map(([path = "", text = ""]) => `M 100644 inline ${path}\n${block(text)}`),
      "",
    ].join("\n");
  });
  const { repo, env } = world;
  const done = spawnSync("git", ["fast-import", "--quiet"], {
    cwd: repo,
    env,
    input: stream.join("\n"),
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`git fast-import: ${done.stderr}`);
}

const block = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;

function readRuns(log: string): Pick<Landed, "gateRuns" | "gateMs"> {
  const runs = readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number);
  return { gateRuns: runs.length, gateMs: runs.reduce((sum, ns) => sum + ns / 1e6, 0) };
}

/** All branches are queued when the clock starts; it stops when nothing can move. */
export async function landByQueue(world: MergeWorld): Promise<Landed> {
  const place = {
    home: join(world.folder, "home"),
    runtime: join(world.folder, "run"),
    version: "bench",
  };
  await queueAll(world, place);
  const start = performance.now();
  const work = await workOnQueue(place, async () => "bench");
  let view = await work.view();
  while (view.state === "working" || view.retry_at !== null) {
    await work.changed();
    view = await work.view();
  }
  const wallMs = performance.now() - start;
  await work.close();
  const landed = Number(commitsOf(world)) - 1;
  return { wallMs, landed, ...world.runs() };
}

async function queueAll(
  world: MergeWorld,
  place: { home: string; runtime: string; version: string },
): Promise<void> {
  const factory = await openFactory({
    ...place,
    log: noLog,
    crash: noCrash,
    scope: () => true,
    wants: () => false,
    daemon: null,
  });
  await factory.register(world.repo);
  const body = JSON.stringify({ branches: world.names });
  const headers = { "content-type": "application/json" };
  const path = "/v1/queue/entries?project=bench";
  const answer = await factory.app.request(path, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(await answer.text());
  await factory.close();
}

const commitsOf = ({ repo, env }: MergeWorld): string =>
  spawnSync("git", ["rev-list", "--count", "--first-parent", "main"], { cwd: repo, env })
    .stdout.toString()
    .trim();

/** What a careful person would script: each branch rebased, tested and merged, one after the other. */
export function landBySequence(world: MergeWorld): Landed {
  const { repo, git, names, env } = world;
  const tree = join(world.folder, "worktree");
  git(repo, ["checkout", "-q", "--detach"]);
  const start = performance.now();
  git(repo, ["worktree", "add", "-q", tree, "main"]);
  let landed = 0;
  for (const name of names) {
    git(tree, ["checkout", "-q", name]);
    git(tree, ["rebase", "-q", "main"]);
    const green = spawnSync("sh", ["test.sh"], { cwd: tree, env }).status === 0;
    git(tree, ["checkout", "-q", "main"]);
    if (!green) continue;
    git(tree, ["merge", "-q", "--ff-only", name]);
    git(tree, ["branch", "-q", "-D", name]);
    landed += 1;
  }
  return { wallMs: performance.now() - start, landed, ...world.runs() };
}

/** What most peers do: nothing is tested. */
export function landUntested(world: MergeWorld): Landed {
  const { repo, git, names } = world;
  const start = performance.now();
  for (const name of names) {
    git(repo, ["merge", "-q", "--no-ff", "-m", name, name]);
    git(repo, ["branch", "-q", "-D", name]);
  }
  const wallMs = performance.now() - start;
  return { wallMs, landed: names.length, gateRuns: 0, gateMs: 0 };
}
