// From the end of a session to the return of `pawl monitor-session`, beside a poll of the original's
// kind for sessions of the same spread; and what a monitor uses while nothing happens.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createPrng } from "../../src/lib/prng.ts";
import {
  cpuMs,
  MAIN,
  makePlace,
  ms,
  print,
  privateMb,
  quantiles,
  rssMb,
  type Place,
} from "./place.ts";

const SESSIONS = 100;
const IDLE_MS = 60_000;
const INITIAL_WAIT_S = 5;
const POLL_S = 60;

export async function benchMonitor(): Promise<void> {
  const place = makePlace({ "test.sh": "true\n" });
  try {
    const samples: number[] = [];
    for (let number = 0; number < SESSIONS; number++) {
      samples.push(await endToReturn(place, number));
    }
    const ours = quantiles(samples);
    const title = `session end → monitor-session returned, ${SESSIONS} sessions`;
    print(title, `p50 ${ms(ours.p50)}, p99 ${ms(ours.p99)}, max ${ms(ours.max)}`, "p99 < 500 ms");
    const polled = quantiles(Array.from({ length: 1000 }, pollDelays(1)));
    const figure = `p50 ${ms(polled.p50 * 1000)}, p99 ${ms(polled.p99 * 1000)}`;
    print("… a 60 s poll of sessions of 3 to 300 s, computed", figure, "measured: 28.3 s median");
    await benchIdleMonitor(place);
  } finally {
    run(place, ["tmux-wrapper", "kill-all"]);
    await place.close();
  }
}

/** The session ends only when its monitor is watching: starting a program is measured elsewhere. */
async function endToReturn(place: Place, number: number): Promise<number> {
  const [ended, fifo] = [join(place.home, `ended-${number}`), join(place.home, `go-${number}`)];
  const command = `mkfifo ${fifo}; read -r go <${fifo}; date +%s%3N >${ended}`;
  const words = ["spawn", "bench", "1", `1.${number}`, "--command", command];
  const name = run(place, ["tmux-wrapper", ...words]);
  const monitor = start(place, ["monitor-session", name, "--json", "--verbose"]);
  await new Promise((resolve) => monitor.stderr?.once("data", resolve));
  await appendFile(fifo, "go\n");
  await new Promise((resolve) => monitor.once("exit", resolve));
  const returned = Date.now();
  const delay = returned - Number(readFileSync(ended, "utf8"));
  run(place, ["tmux-wrapper", "kill", name]);
  return delay;
}

/** When the first poll at or after the end comes: 5 s after the start, then every 60 s. */
function pollDelays(seed: number): () => number {
  const random = createPrng(seed);
  return () => {
    const durationS = 3 + random.next() * 297;
    const polls = Math.max(0, Math.ceil((durationS - INITIAL_WAIT_S) / POLL_S));
    return INITIAL_WAIT_S + polls * POLL_S - durationS;
  };
}

async function benchIdleMonitor(place: Place): Promise<void> {
  const words = ["tmux-wrapper", "spawn", "bench", "2", "2.1", "--command", "exec sleep 1000"];
  const monitor = start(place, ["monitor-session", run(place, words)]);
  const { pid = 0 } = monitor;
  await wait(5_000);
  const before = cpuMs(pid);
  await wait(IDLE_MS);
  const perMinute = ((cpuMs(pid) - before) * 60_000) / IDLE_MS;
  const memory = `${rssMb(pid).toFixed(0)} MB, ${privateMb(pid).toFixed(0)} of them its own`;
  print(
    "CPU of a monitor per session-minute",
    `${ms(perMinute)}, RSS ${memory}`,
    "peer: 46 ms, 23 MB",
  );
  monitor.kill("SIGKILL");
}

function run({ repo, env }: Place, args: string[]): string {
  const done = spawnSync(process.execPath, [MAIN, ...args], { cwd: repo, env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`pawl ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
}

const start = ({ repo, env }: Place, args: string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], { cwd: repo, env, stdio: ["ignore", "ignore", "pipe"] });
