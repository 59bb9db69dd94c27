// A factory after years beside an empty one in the same run: what each question costs, how long the
// daemon takes to serve, its memory, how long its event loop stands still, and how quickly a phase is
// answered meanwhile. A quick try by default; the size of the targets is
// `npm run bench -- scale runs=100000 projects=50 issues=10000 sessions=200`.
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { MAIN, makePlace, ms, print, quantiles, rssMb, threadsMs, type Place } from "./place.ts";
import { agentFiles, reactions } from "./scale-reactions.ts";
import { fillPlace, startSessions, type Size } from "./scale-fill.ts";
import type { Stalls } from "./stall-probe.ts";
import { watchLoop } from "./watch-loop.ts";

const ROUNDS = 7;
/** The daemon is at rest when it uses less of a core than this, twice in a row. */
const REST = { everyMs: 1000, share: 0.1, maxMs: 120_000 };
/** Of the deacon and of the witness of each project, and what all of them may take. */
const ROUND_MS = 60_000;
const SLACK_MS = 15_000;
const COMMANDS = {
  status: ["status"],
  agents: ["agents"],
  "why 1": ["why", "1"],
  "issue list": ["issue", "list"],
  costs: ["costs"],
  history: ["history"],
};

const run = promisify(execFile);

const config = (sessions: number): string => `[project]
name = "bench"
target = "main"
parallel = ${sessions + 2}
[agent]
runtime = "command"
command = ["sh", "agent.sh"]
[ci]
none = true
[patrol]
deacon = "${ROUND_MS / 1000}s"
witness = "${ROUND_MS / 1000}s"
`;

/** `cpuMs`: user and system time of the command and, where one answers, of the daemon. */
type Cost = { wallMs: number; cpuMs: number };
type Figures = {
  costs: Map<string, Cost>;
  startMs: number;
  /** How long a question waits for the event loop, asked from outside. */
  askedMs: number;
  views: Stalls;
  rounds: Stalls;
  memoryMb: number;
  journalMb: number;
  reactions: { p50: number; p99: number };
};

export async function benchScale(): Promise<void> {
  const size: Size = { runs: 10_000, projects: 3, issues: 1000, sessions: 5, ...asked() };
  const empty = await measured({ runs: 0, projects: 1, issues: 0, sessions: 0 });
  const full = await measured(size);
  const { runs, projects, issues, sessions } = size;
  print(`${runs} ended runs, ${projects} projects of ${issues} issues, ${sessions} sessions`, "");
  for (const [name, cost] of full.costs) printCost(name, cost, empty.costs.get(name));
  const beside = (of: (figures: Figures) => string): string => `${of(full)} (empty: ${of(empty)})`;
  print(
    "daemon: start until it serves",
    beside(({ startMs }) => ms(startMs)),
    "< 1.5 s",
  );
  print(
    "daemon: memory",
    beside(({ memoryMb }) => `${memoryMb.toFixed(0)} MB`),
    "< 150 MB",
  );
  const stalls = "daemon: longest stall of its event loop";
  print(
    `${stalls}, by views`,
    beside(({ views }) => stallsTold(views)),
    "< 50 ms",
  );
  print(
    `${stalls}, by patrols`,
    beside(({ rounds }) => stallsTold(rounds)),
    "< 50 ms",
  );
  print(
    "the smallest question, asked by the bench: longest answer",
    beside(({ askedMs }) => ms(askedMs)),
  );
  const told = ({ reactions: { p50, p99 } }: Figures): string => `p50 ${ms(p50)}, p99 ${ms(p99)}`;
  print("phase → reaction, status asked 10 times a second", beside(told), "p99 < 100 ms");
  print(
    "journal",
    beside(({ journalMb }) => `${journalMb.toFixed(1)} MB`),
  );
}

function printCost(name: string, cost: Cost, empty: Cost | undefined): void {
  const times = (key: keyof Cost): string => (cost[key] / (empty?.[key] ?? NaN)).toFixed(2);
  const figure = `${ms(cost.wallMs)} (${times("wallMs")}×), CPU ${ms(cost.cpuMs)} (${times("cpuMs")}×)`;
  print(`pawl ${name}`, figure, name.endsWith("a daemon") ? "< 2×, < 100 ms" : "< 2×");
}

/** Of the words `runs=…`, `projects=…`, `issues=…` and `sessions=…`. */
const asked = (): Partial<Size> =>
  Object.fromEntries(
    process.argv.flatMap((word) => {
      const [name = "", value] = word.split("=");
      const isSize = ["runs", "projects", "issues", "sessions"].includes(name);
      return isSize ? [[name, Number(value)]] : [];
    }),
  );

async function measured(size: Size): Promise<Figures> {
  const place = makePlace({ "pawl.toml": config(size.sessions), ...agentFiles() });
  try {
    await fillPlace(place, size, Object.values(COMMANDS));
    const costs = new Map<string, Cost>();
    for (const [name, words] of Object.entries(COMMANDS)) {
      costs.set(`${name}, no daemon`, await cost(place, words, undefined));
    }
    const start = performance.now();
    const { pid = 0 } = await place.daemon({ probe: true });
    const startMs = performance.now() - start;
    if (size.sessions > 0) await startSessions(place, size.sessions);
    await atRest(pid);
    const asking = watchLoop(place);
    await place.stalls();
    for (const [name, words] of Object.entries(COMMANDS)) {
      costs.set(`${name}, a daemon`, await cost(place, words, pid));
    }
    const askedMs = await asking();
    const views = await place.stalls();
    const memoryMb = rssMb(pid);
    const journalMb = statSync(join(place.home, "pawl.db")).size / 1e6;
    const told = quantiles(await reactions(place));
    const rounds = await stallsOfRounds(place);
    return { costs, startMs, askedMs, views, rounds, memoryMb, journalMb, reactions: told };
  } finally {
    await place.close();
  }
}

/** The first looks at all projects and the first checkpoints of all sessions are over then. */
async function atRest(pid: number): Promise<void> {
  const until = performance.now() + REST.maxMs;
  for (let calm = 0; calm < 2;) {
    if (performance.now() > until) throw new Error("the daemon did not come to rest in time");
    const before = threadsMs(pid);
    await wait(REST.everyMs);
    calm = threadsMs(pid) - before < REST.everyMs * REST.share ? calm + 1 : 0;
  }
}

/** While the deacon and the witness of each project go a round. Nothing else is asked meanwhile. */
async function stallsOfRounds(place: Place): Promise<Stalls> {
  const counts = async (): Promise<number[]> => {
    const patrols = await place.api<{ rounds: number }[]>("GET", "/v1/patrols?all=true");
    return patrols.map(({ rounds }) => rounds);
  };
  const before = await counts();
  await place.stalls();
  await wait(ROUND_MS + SLACK_MS);
  const stalls = await place.stalls();
  const missed = (await counts()).filter((count, index) => count === before[index]).length;
  if (missed > 0) throw new Error(`${missed} patrols went no round in their time`);
  return stalls;
}

const stallsTold = ({ longest, busiest, collectorMs }: Stalls): string =>
  `${ms(longest.wallMs)}, computing ${ms(busiest.cpuMs)}, collector ${ms(collectorMs)}`;

/** Medians; the first call, which fills caches, does not count. */
async function cost(place: Place, words: string[], daemon: number | undefined): Promise<Cost> {
  const samples: Cost[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = daemon === undefined ? 0 : threadsMs(daemon);
    const start = performance.now();
    const used = await command(place, words);
    const wallMs = performance.now() - start;
    const by = daemon === undefined ? 0 : threadsMs(daemon) - before;
    if (round > 0) samples.push({ wallMs, cpuMs: used + by });
  }
  const p50 = (key: keyof Cost): number => quantiles(samples.map((one) => one[key])).p50;
  return { wallMs: p50("wallMs"), cpuMs: p50("cpuMs") };
}

/** User and system time of one command, as bash tells it. */
async function command(place: Place, words: string[]): Promise<number> {
  const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null`;
  const argv = ["-c", script, "bash", process.execPath, MAIN, ...words];
  const options = { env: place.env, cwd: place.repo, maxBuffer: 100_000_000 };
  const { stderr } = await run("bash", argv, options);
  const told = stderr.trim().split("\n").at(-1) ?? "";
  const [user = NaN, system = NaN] = told.split(" ").map(Number);
  return (user + system) * 1000;
}
