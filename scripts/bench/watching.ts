// What watching costs: 200 idle sessions under the daemon, beside the peers' way in the same run
// (one spawned `tmux capture-pane` per session per second); and `pawl agents` with 1,000 identities.
// `npm run bench -- watching sessions=500` has as many as one daemon must bear.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { runtimeFolder } from "../../src/config/home.ts";
import { runAggregate, runId, projectName } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import { saveState } from "../../src/daemon/engine/save-state.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";
import { cpuMs, MAIN, makePlace, ms, print, quantiles, rssMb } from "./place.ts";
import { watchLoop } from "./watch-loop.ts";

const asked = (name: string, otherwise: number): number =>
  Number(process.argv.find((word) => word.startsWith(`${name}=`))?.split("=")[1] ?? otherwise);

const SESSIONS = asked("sessions", 200);
/** Checkpoints of a workspace where nothing changes come ever less often: 1 min, 3 min, 7 min … */
const SETTLE_MS = asked("settle", 200) * 1000;
/** While the loop of the daemon is asked every 5 ms; its CPU is measured without that. */
const STALLS_MS = 15_000;
const WATCHED_MS = 60_000;
const PEERS_MS = 10_000;
const IDENTITIES = 1000;
const LISTINGS = 20;

const run = promisify(execFile);

/** Waits for a person, and refreshes a statusline as Claude Code does. */
const IDLE = `printf 'PHASE:escalate\\n' > "$PAWL_PHASE_FILE"
while :; do printf '\\rrepo | ctx(12%%) | %s ' "$(date +%H:%M:%S)"; sleep 30; done`;

const config = (parallel: number, script: string): string => `[project]
name = "bench"
target = "main"
parallel = ${parallel}
[agent]
runtime = "command"
command = ["sh", "-c", ${JSON.stringify(script)}]
[ci]
none = true
`;

export async function benchWatching(): Promise<void> {
  const place = makePlace({ "pawl.toml": config(SESSIONS, IDLE), "test.sh": "true\n" });
  try {
    const daemon = await place.daemon();
    const pid = daemon.pid ?? 0;
    await place.api("POST", "/v1/projects", { folder: place.repo });
    const start = performance.now();
    await startAll(place);
    print(`${SESSIONS} sessions, until all are at work`, ms(performance.now() - start));
    const tmux = join(runtimeFolder(place.env, place.home), "tmux.sock");
    const server = serverOf(tmux);
    await wait(SETTLE_MS);
    const before = { daemon: cpuMs(pid), server: cpuMs(server) };
    await wait(WATCHED_MS);
    const share = (now: number, was: number): string =>
      `${(((now - was) / WATCHED_MS) * 100).toFixed(2)} %`;
    print(
      `watching ${SESSIONS} sessions with statuslines: CPU of one core`,
      `daemon ${share(cpuMs(pid), before.daemon)}, tmux ${share(cpuMs(server), before.server)}`,
      "< 2 %",
    );
    print(`daemon with ${SESSIONS} sessions: memory`, `${rssMb(pid).toFixed(0)} MB`);
    const stalls = watchLoop(place);
    await wait(STALLS_MS);
    print(`daemon with ${SESSIONS} sessions: longest stall`, ms(await stalls()), "< 50 ms");
    await peersWay(tmux, server);
  } finally {
    await place.close();
  }
}

type Place = ReturnType<typeof makePlace>;

async function startAll(place: Place): Promise<void> {
  for (let n = 0; n < SESSIONS; n += 1) {
    await place.api("POST", "/v1/issues", { title: `bench ${n}`, key: `bench ${n}`, body: "" });
  }
  for (;;) {
    const { runs } = await place.api<{ runs: { stage: string }[] }>("GET", "/v1/status?all=true");
    if (runs.filter((one) => one.stage === "escalated").length === SESSIONS) return;
    await wait(500);
  }
}

const serverOf = (tmux: string): number =>
  Number(
    spawnSync("tmux", ["-S", tmux, "display-message", "-p", "#{pid}"], { encoding: "utf8" }).stdout,
  );

/** User and system time of the children this process has waited for. */
const childrenMs = (): number => {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
};

async function peersWay(tmux: string, server: number): Promise<void> {
  const listed = spawnSync("tmux", ["-S", tmux, "list-panes", "-a", "-F", "#{pane_id}"], {
    encoding: "utf8",
  });
  const panes = listed.stdout.trim().split("\n");
  const before = { children: childrenMs(), own: process.cpuUsage(), server: cpuMs(server) };
  const start = performance.now();
  let rounds = 0;
  while (performance.now() - start < PEERS_MS) {
    const round = performance.now();
    for (const pane of panes) await run("tmux", ["-S", tmux, "capture-pane", "-p", "-t", pane]);
    rounds += 1;
    await wait(Math.max(0, 1000 - (performance.now() - round)));
  }
  const elapsed = performance.now() - start;
  const own = process.cpuUsage(before.own);
  const usedMs = childrenMs() - before.children + (own.user + own.system) / 1000;
  const serverMs = cpuMs(server) - before.server;
  print(
    `the peers' way, one capture-pane per session and second`,
    `${((usedMs / elapsed) * 100).toFixed(0)} %, tmux ${((serverMs / elapsed) * 100).toFixed(1)} %, a round takes ${ms(elapsed / rounds)}`,
  );
}

/** A journal with a thousand runs, made from one real one. */
export async function benchAgents(): Promise<void> {
  const script = 'printf "PHASE:escalate\\n" > "$PAWL_PHASE_FILE"; sleep 3600';
  const place = makePlace({ "pawl.toml": config(1, script), "test.sh": "true\n" });
  try {
    let daemon = await place.daemon();
    await place.api("POST", "/v1/issues", { title: "one", key: "one", body: "x".repeat(2000) });
    for (;;) {
      const { runs } = await place.api<{ runs: { stage: string }[] }>("GET", "/v1/status");
      if (runs[0]?.stage === "escalated") break;
      await wait(100);
    }
    await place.api("POST", "/v1/daemon/stop", { killAgents: false });
    await new Promise((resolve) => daemon.once("exit", resolve));
    await multiply(join(place.home, "pawl.db"));
    print(`pawl agents, ${IDENTITIES} identities, no daemon`, await listing(place), "< 150 ms");
    daemon = await place.daemon();
    print(`pawl agents, ${IDENTITIES} identities, a daemon`, await listing(place), "< 150 ms");
  } finally {
    await place.close();
  }
}

async function multiply(journal: string): Promise<void> {
  const reader = await openReadOnly(journal);
  const stored = (await reader?.aggregates())?.find(({ state }) => state.kind === "run");
  await reader?.close();
  if (stored?.state.kind !== "run") throw new Error("the bench left no run");
  const { state } = stored;
  const session =
    state.session === undefined ? undefined : { ...state.session, status: "ended" as const };
  const store = await openSqliteStore(journal);
  await store.transaction(async (tx) => {
    for (let n = 2; n <= IDENTITIES; n += 1) {
      const name = String(n);
      const identity = `dev-${name}`;
      const outcome = { kind: "blocked", reason: "bench" } as const;
      const copy: AggregateState = {
        ...state,
        id: runId(`${n}.1`),
        name,
        identity,
        outcome,
        session,
        stage: { kind: "ended" },
      };
      await saveState(tx, runAggregate(projectName("bench"), copy.id), copy);
    }
  });
  await store.close();
}

async function listing(place: Place): Promise<string> {
  const times: number[] = [];
  for (let n = 0; n < LISTINGS; n += 1) {
    const start = performance.now();
    const options = { env: place.env, cwd: place.repo, maxBuffer: 100_000_000 };
    const { stdout } = await run(process.execPath, [MAIN, "agents", "--all", "--json"], options);
    times.push(performance.now() - start);
    if ((JSON.parse(stdout) as unknown[]).length < IDENTITIES) throw new Error("some are missing");
  }
  const { p50, max } = quantiles(times);
  return `p50 ${ms(p50)}, max ${ms(max)}`;
}
