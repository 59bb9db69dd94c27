// A factory of its own for a measurement: private folders, a repository, a daemon process.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { runtimeFolder } from "../../src/config/home.ts";
import type { Stalls } from "./stall-probe.ts";

/** PAWL_BENCH_MAIN=dist/main.js measures what is published instead of the sources. */
export const MAIN = resolve(
  process.env["PAWL_BENCH_MAIN"] ??
    fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
);

const PROBE = fileURLToPath(new URL("./stall-probe.ts", import.meta.url));

export type Place = {
  repo: string;
  home: string;
  env: Record<string, string>;
  /** `probe`: its event loop is watched from within. */
  daemon(options?: { probe: true }): Promise<ChildProcess>;
  /** How the event loop stood still since it was last asked; of a daemon with a probe. */
  stalls(): Promise<Stalls>;
  api<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends the daemon and its agents. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

export function makePlace(files: Record<string, string>): Place {
  const folder = mkdtempSync("/tmp/pawl-bench-");
  const repo = join(folder, "repo");
  const home = join(folder, "home");
  const env = plainEnvironment(folder);
  makeRepository({ repo, env, files });
  const socketPath = join(runtimeFolder(env, home), "daemon.sock");
  const stallsFile = join(folder, "stalls.json");
  let child: ChildProcess | undefined;

  const api = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const headers = {
        "x-pawl-cwd": encodeURIComponent(repo),
        "content-type": "application/json",
      };
      // A connection each: one that is kept is closed by the daemon when a bench is busy elsewhere.
      const call = request({ socketPath, path, method, headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString()));
        response.on("end", () => resolve(JSON.parse(text) as T));
      });
      call.on("error", reject);
      if (body !== undefined) call.write(JSON.stringify(body));
      call.end();
    });

  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    await api("POST", "/v1/daemon/stop", { killAgents: true });
    await ended;
  };

  return {
    repo,
    home,
    env,
    api,
    daemon: async (asked) => {
      const probe = asked === undefined ? [] : ["--import", PROBE];
      const words = [...probe, MAIN, "daemon"];
      const options = { env: { ...env, PAWL_BENCH_STALLS: stallsFile }, cwd: repo };
      child = spawn(process.execPath, words, { ...options, stdio: "inherit" });
      await whenUp(api);
      return child;
    },
    stalls: () => stallsOf(child, stallsFile),
    stop,
    close: async () => {
      await stop();
      const tmux = join(runtimeFolder(env, home), "tmux.sock");
      spawnSync("tmux", ["-S", tmux, "kill-server"], { stdio: "ignore" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function stallsOf(daemon: ChildProcess | undefined, file: string): Promise<Stalls> {
  rmSync(file, { force: true });
  daemon?.kill("SIGUSR2");
  while (!existsSync(file)) await wait(5);
  return JSON.parse(readFileSync(file, "utf8")) as Stalls;
}

async function whenUp(api: Place["api"]): Promise<void> {
  for (;;) {
    const isUp = await api("GET", "/v1/ping").then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await wait(20);
  }
}

/** Nothing of the caller's but where programs are. */
function plainEnvironment(folder: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: folder,
    PAWL_HOME: join(folder, "home"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    ...(process.env["NODE_COMPILE_CACHE"] === undefined
      ? {}
      : { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] }),
  };
}

function makeRepository(place: {
  repo: string;
  env: Record<string, string>;
  files: Record<string, string>;
}): void {
  const { repo, env, files } = place;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(repo, name, ".."), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  const git = (...args: string[]): void => {
    const done = spawnSync("git", ["-C", repo, ...args], { env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "bench");
  git("config", "user.email", "bench@pawl.invalid");
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
}

/** User and system CPU of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** As `cpuMs`, but finer than the clock's ticks. */
export function threadsMs(pid: number): number {
  const told = spawnSync("sh", ["-c", `cat /proc/${pid}/task/*/schedstat`], { encoding: "utf8" });
  const lines = told.stdout.trim().split("\n");
  return lines.reduce((sum, line) => sum + Number(line.split(" ")[0]), 0) / 1e6;
}

export const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** What a process has for itself; the rest are pages of programs that others share. */
export const privateMb = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

export function quantiles(samples: number[]): {
  p50: number;
  p95: number;
  p99: number;
  max: number;
} {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? NaN };
}

export function print(name: string, figure: string, target = ""): void {
  process.stdout.write(`${name.padEnd(58)} ${figure.padEnd(44)} ${target}\n`);
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
