// Session end → verdict, death → successor's start, spawn; and what 50 idle sessions cost.
import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { openReadOnly } from "../../src/store/sqlite/open.ts";
import { cpuMs, makePlace, ms, print, quantiles, rssMb } from "./place.ts";

const RUNS = 60;
const IDLE = 50;
const WATCHED_MS = 20_000;

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

/** Every first life dies with exit code 3; every second one gives up, so that the run ends. */
const DIES =
  'if [ "$PAWL_EPOCH" = 1 ]; then exit 3; fi; echo PHASE:failed > "$PAWL_PHASE_FILE"; sleep 60';

export async function benchLives(): Promise<void> {
  const place = makePlace({ "pawl.toml": config(4, DIES), "test.sh": "true\n" });
  try {
    await place.daemon();
    for (let n = 0; n < RUNS; n += 1) {
      await place.api("POST", "/v1/issues", { title: `bench ${n}`, key: `bench ${n}`, body: "" });
    }
    for (;;) {
      const status = await place.api<{ runs: { outcome: string | null }[] }>("GET", "/v1/status");
      if (status.runs.filter((run) => run.outcome === "blocked").length === RUNS) break;
      await wait(200);
    }
    await report(place.home);
  } finally {
    await place.close();
  }
}

async function report(home: string): Promise<void> {
  const store = await openReadOnly(join(home, "pawl.db"));
  if (store === undefined) throw new Error("the bench left no journal");
  const events = await store.events({ limit: 100_000 });
  await store.close();
  const verdicts: number[] = [];
  const successors: number[] = [];
  const died = new Map<string, number>();
  for (const { to, event } of events) {
    if (event.kind === "session-exited" && event.exit !== undefined) {
      verdicts.push(event.at - event.exit.endedAt);
      if (event.epoch === 1) died.set(to, event.exit.endedAt);
    }
    const death = died.get(to);
    if (event.kind === "session-spawned" && event.epoch === 2 && death !== undefined) {
      successors.push(event.at - death);
    }
  }
  const verdict = quantiles(verdicts);
  print(
    `session end → verdict, ${verdicts.length} sessions, 4 at a time`,
    `p50 ${ms(verdict.p50)}, p99 ${ms(verdict.p99)}`,
    "p99 < 500 ms",
  );
  const successor = quantiles(successors);
  print(
    `death → successor runs, ${successors.length} sessions`,
    `p50 ${ms(successor.p50)}, max ${ms(successor.max)}`,
    "< 2 s",
  );
}

export async function benchIdle(): Promise<void> {
  const script = 'printf "PHASE:escalate\\n" > "$PAWL_PHASE_FILE"; sleep 3600';
  const place = makePlace({ "pawl.toml": config(IDLE, script), "test.sh": "true\n" });
  try {
    const daemon = await place.daemon();
    const pid = daemon.pid ?? 0;
    const start = performance.now();
    for (let n = 0; n < IDLE; n += 1) {
      await place.api("POST", "/v1/issues", { title: `bench ${n}`, key: `bench ${n}`, body: "" });
    }
    for (;;) {
      const status = await place.api<{ runs: { stage: string }[] }>("GET", "/v1/status");
      if (status.runs.filter((run) => run.stage === "escalated").length === IDLE) break;
      await wait(200);
    }
    print(`${IDLE} issues → ${IDLE} agents at work`, ms(performance.now() - start));
    const before = cpuMs(pid);
    await wait(WATCHED_MS);
    const share = ((cpuMs(pid) - before) / WATCHED_MS) * 100;
    print(
      `daemon with ${IDLE} idle sessions: CPU of one core`,
      `${share.toFixed(2)} %`,
      "200 sessions < 2 %",
    );
    print(`daemon with ${IDLE} idle sessions: memory`, `${rssMb(pid).toFixed(0)} MB`, "< 120 MB");
  } finally {
    await place.close();
  }
}
