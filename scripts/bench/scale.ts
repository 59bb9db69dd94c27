// A factory after years beside an empty one in the same run: what each question costs, how long the
// daemon takes to serve, and how long its event loop stands still meanwhile. A quick try by default;
// `npm run bench -- scale runs=100000 projects=50 issues=10000` is the size of the targets.
import { execFile, spawnSync } from "node:child_process";
import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { projectName, runAggregate, runId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { LifeUsage } from "../../src/core/usage.ts";
import { saveState } from "../../src/daemon/engine/save-state.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";
import { MAIN, makePlace, ms, print, quantiles, rssMb, type Place } from "./place.ts";
import { watchLoop } from "./watch-loop.ts";

const RUNS_A_DAY = 100;
const DAY_MS = 86_400_000;
const ROUNDS = 7;
const COMMANDS = {
  status: ["status"],
  agents: ["agents"],
  "why 1": ["why", "1"],
  "issue list": ["issue", "list"],
  costs: ["costs"],
  history: ["history"],
};

const run = promisify(execFile);

const ESCALATES = 'printf "PHASE:escalate\\n" > "$PAWL_PHASE_FILE"; sleep 3600';
const CONFIG = `[project]
name = "bench"
target = "main"
parallel = 1
[agent]
runtime = "command"
command = ["sh", "-c", ${JSON.stringify(ESCALATES)}]
[ci]
none = true
`;

type Size = { runs: number; projects: number; issues: number };
type Figures = Map<string, number>;

export async function benchScale(): Promise<void> {
  const size: Size = { runs: 10_000, projects: 3, issues: 500, ...asked() };
  const empty = await measured({ runs: 0, projects: 1, issues: 0 });
  const full = await measured(size);
  const { runs, projects, issues } = size;
  print(`${runs} ended runs, ${projects} projects of ${issues} open issues`, "", "empty factory");
  for (const [name, figure] of full) print(name, text(name, figure), text(name, empty.get(name)));
}

const text = (name: string, figure: number | undefined): string => {
  if (figure === undefined) return "";
  return name.endsWith("MB") ? figure.toFixed(1) : ms(figure);
};

/** Of the words `runs=…`, `projects=…` and `issues=…`. */
const asked = (): Partial<Size> =>
  Object.fromEntries(
    process.argv.flatMap((word) => {
      const [name = "", value] = word.split("=");
      return ["runs", "projects", "issues"].includes(name) ? [[name, Number(value)]] : [];
    }),
  );

async function measured(size: Size): Promise<Figures> {
  const place = makePlace({ "pawl.toml": CONFIG, "test.sh": "true\n" });
  const figures: Figures = new Map();
  try {
    await prepare(place, size);
    for (const [name, words] of Object.entries(COMMANDS)) {
      figures.set(`pawl ${name}, no daemon`, await time(place, words));
    }
    const start = performance.now();
    const daemon = await place.daemon();
    figures.set("daemon: start until it serves", performance.now() - start);
    await wait(2_000);
    const stalls = watchLoop(place);
    for (const [name, words] of Object.entries(COMMANDS)) {
      figures.set(`pawl ${name}, a daemon`, await time(place, words));
    }
    figures.set("daemon: longest stall of its event loop", await stalls());
    figures.set("daemon: memory, MB", rssMb(daemon.pid ?? 0));
    figures.set("journal, MB", statSync(join(place.home, "pawl.db")).size / 1e6);
    return figures;
  } finally {
    await place.close();
  }
}

async function time(place: Place, words: string[]): Promise<number> {
  const samples: number[] = [];
  const options = { env: place.env, cwd: place.repo, maxBuffer: 100_000_000 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await run(process.execPath, [MAIN, ...words], options).catch((error: { code?: number }) => {
      // A version without this command refuses it: there is nothing to measure then.
      if (error.code !== 2) throw error;
      samples.push(NaN);
    });
    samples.push(performance.now() - start);
  }
  return samples.some(Number.isNaN) ? NaN : quantiles(samples).p50;
}

/** One real run, multiplied; and projects with open issues that ask for nothing. */
async function prepare(place: Place, size: Size): Promise<void> {
  const daemon = await place.daemon();
  await place.api("POST", "/v1/issues", { title: "one", key: "one", body: "x".repeat(1000) });
  for (;;) {
    const { runs } = await place.api<{ runs: { stage: string }[] }>("GET", "/v1/status");
    if (runs[0]?.stage === "escalated") break;
    await wait(100);
  }
  for (let n = 2; n <= size.projects; n += 1) await twin(place, `bench${n}`);
  await place.api("POST", "/v1/daemon/stop", { killAgents: true });
  await new Promise((resolve) => daemon.once("exit", resolve));
  await fill(join(place.home, "pawl.db"), size);
}

async function twin(place: Place, name: string): Promise<void> {
  const folder = join(place.repo, "..", name);
  cpSync(place.repo, folder, { recursive: true });
  const toml = readFileSync(join(folder, "pawl.toml"), "utf8");
  writeFileSync(join(folder, "pawl.toml"), toml.replace('"bench"', `"${name}"`));
  const words = ["-C", folder, "commit", "-qam", "rename"];
  const done = spawnSync("git", words, { env: place.env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${words.join(" ")}: ${done.stderr}`);
  await place.api("POST", "/v1/projects", { folder });
}

async function fill(journal: string, size: Size): Promise<void> {
  const reader = await openReadOnly(journal);
  const stored = (await reader?.aggregates({ kind: "run" }))?.[0]?.state;
  await reader?.close();
  if (stored?.kind !== "run") throw new Error("the bench left no run");
  const store = await openSqliteStore(journal);
  const now = Date.now();
  for (let from = 0; from < size.runs; from += 1000) {
    await store.transaction(async (tx) => {
      for (let n = from + 2; n < Math.min(from + 1000, size.runs) + 2; n += 1) {
        const { copy, usage } = ended(stored, n, now - (n / RUNS_A_DAY) * DAY_MS - DAY_MS);
        const id = runAggregate(copy.project, copy.id);
        await saveState(tx, id, copy);
        await tx.records.put("usage", `${copy.project}/${copy.id}:1`, usage);
      }
    });
  }
  for (let n = 1; n <= size.projects; n += 1) {
    const name = n === 1 ? "bench" : `bench${n}`;
    await store.transaction(async (tx) => {
      for (let number = 1_000_001; number <= 1_000_000 + size.issues; number += 1) {
        const issue = { number, title: `issue ${number}`, body: "", state: "open", labels: [] };
        const filed = { ...issue, author: "bench", createdAt: now, updatedAt: now };
        await tx.records.put(`forge/${name}/issues`, String(number), filed);
        await tx.records.put(`forge/${name}/open-issues`, String(number), true);
      }
    });
  }
  await store.close();
}

function ended(run: Run, n: number, at: number): { copy: Run; usage: LifeUsage } {
  const name = String(n);
  const { session, work } = run;
  const copy: Run = {
    ...run,
    id: runId(`${n}.1`),
    name,
    identity: `dev-${name}`,
    branch: `pawl/${name}-one`,
    work: work.kind === "issue" ? { ...work, number: n } : work,
    outcome: { kind: "blocked", reason: "bench" },
    session: session === undefined ? undefined : { ...session, status: "ended" },
    stage: { kind: "ended" },
    endedAt: at,
  };
  const tokens = { input: 1000, output: 200, cacheRead: 5000, cacheWrite: 100 };
  const day = new Date(at).toISOString().slice(0, 10);
  const row = { ...tokens, day, model: "bench", sidechain: false, costUsd: 0.1 };
  const about = { project: projectName("bench"), run: copy.id, issue: n, role: "dev", epoch: 1 };
  return { copy, usage: { ...about, rows: [row] } };
}
