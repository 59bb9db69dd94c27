// How the limits of [isolation] are held. A scope of systemd is a cgroup: it bounds all processes of a
// session together. Without systemd there are limits of processes (prlimit, set inside the walls): those of
// memory and of files hold for each process alone, and the number of processes is counted in the walls'
// own user namespace. A limit that neither can hold stops the start.
import { existsSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { RoomLimits } from "../../core/config.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { NO_WALLS } from "../../ports/walls.ts";

const CHECK = fileURLToPath(new URL("./limits-held.sh", import.meta.url));
const CGROUPS = "/sys/fs/cgroup";
const MB = 1024 ** 2;
const PERIOD_US = 100_000;
/** From here on the kernel counts the processes of each user namespace by themselves. */
const COUNTED_SINCE = [5, 14] as const;

export type Machine = {
  /** The folder by which systemd is asked; undefined where it cannot be. */
  systemd: { scope: "--user" | "--system"; runtime: string } | undefined;
  isRoot: boolean;
  /** As `6.1.0-13-amd64`. */
  kernel: string;
};

/** A limit of a process, as /proc/PID/limits calls it, with its value there. */
export type ProcessLimit = { title: string; value: string };

export type Held = {
  /** Around bubblewrap, which stays in the same process. */
  outside: (argv: readonly string[], env: Record<string, string>) => string[];
  /** Around the program, inside. */
  inside: (argv: readonly string[]) => string[];
  /** What a look from inside must find. */
  seen: ProcessLimit[];
  /** For people: each limit, and what holds it. */
  said: string[];
};

const NONE: Held = {
  outside: (argv) => [...argv],
  inside: (argv) => [...argv],
  seen: [],
  said: [],
};

export function thisMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  const uid = process.getuid?.() ?? 0;
  const isRoot = uid === 0;
  const runtime = isRoot ? "/run" : (env["XDG_RUNTIME_DIR"] ?? `/run/user/${uid}`);
  const isThere =
    existsSync("/run/systemd/system") && existsSync(join(runtime, "systemd", "private"));
  const systemd = { scope: isRoot ? "--system" : "--user", runtime } as const;
  return { systemd: isThere ? systemd : undefined, isRoot, kernel: release() };
}

export function holdLimits(limits: RoomLimits | undefined, machine = thisMachine()): Held {
  if (limits === undefined || Object.keys(limits).length === 0) return NONE;
  const { systemd } = machine;
  const isShared = systemd !== undefined;
  if (!isShared) refuseUnheld(limits, machine);
  const alone = processLimits(limits, isShared);
  return {
    outside: systemd === undefined ? NONE.outside : inScope(limits, systemd),
    inside: alone.length === 0 ? NONE.inside : (argv) => [...prlimit(alone), ...argv],
    seen: alone.map(({ title, value }) => ({ title, value })),
    said: sentences(limits, isShared),
  };
}

function refuseUnheld({ processes, cpus }: RoomLimits, { isRoot, kernel }: Machine): void {
  if (cpus !== undefined) throw unheld("cpus", "that needs systemd, which does not run here");
  if (processes === undefined) return;
  if (isRoot) throw unheld("processes", "root is exempt from it, and systemd does not run here");
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  const [since, sinceMinor] = COUNTED_SINCE;
  if (major < since || (major === since && minor < sinceMinor)) {
    throw unheld("processes", "that needs Linux 5.14 or systemd");
  }
}

const unheld = (key: string, why: string): OperationError =>
  new OperationError(`[isolation] limits.${key} cannot be enforced: ${why}`, {
    code: NO_WALLS,
    hint: `remove ${key} from [isolation] limits, or see docs/security.md`,
  });

type Option = ProcessLimit & { option: string };

function processLimits({ processes, memoryMb, fileMb }: RoomLimits, isShared: boolean): Option[] {
  const option = (name: string, title: string, value: number): Option => ({
    option: `--${name}=${value}:${value}`,
    title,
    value: String(value),
  });
  return [
    ...(processes === undefined || isShared ? [] : [option("nproc", "Max processes", processes)]),
    // What a process can write to; addresses that it only reserves would count as well otherwise.
    ...(memoryMb === undefined || isShared ? [] : [option("data", "Max data size", memoryMb * MB)]),
    ...(fileMb === undefined ? [] : [option("fsize", "Max file size", fileMb * MB)]),
  ];
}

const prlimit = (options: Option[]): string[] => [
  "prlimit",
  ...options.map(({ option }) => option),
  "--",
];

function inScope(
  { memoryMb, processes, cpus }: RoomLimits,
  { scope, runtime }: NonNullable<Machine["systemd"]>,
): Held["outside"] {
  const wanted = [
    ...(memoryMb === undefined
      ? []
      : [
          [`MemoryMax=${memoryMb}M`, `memory.max=${memoryMb * MB}`],
          ["MemorySwapMax=0", "memory.swap.max=0"],
        ]),
    ...(processes === undefined ? [] : [[`TasksMax=${processes}`, `pids.max=${processes}`]]),
    ...(cpus === undefined
      ? []
      : [[`CPUQuota=${Math.round(cpus * 100)}%`, `cpu.max=${quota(cpus)} ${PERIOD_US}`]]),
  ];
  if (wanted.length === 0) return NONE.outside;
  const properties = wanted.flatMap(([property = ""]) => ["-p", property]);
  return (argv, env) => {
    const own = env["XDG_RUNTIME_DIR"];
    // systemd is found by this variable, which the program inside does not get.
    const back = own === undefined ? ["-u", "XDG_RUNTIME_DIR"] : [`XDG_RUNTIME_DIR=${own}`];
    const find = ["env", `XDG_RUNTIME_DIR=${runtime}`, "systemd-run", scope];
    const make = ["--scope", "--quiet", "--collect", ...properties, "--"];
    const check = ["sh", CHECK, CGROUPS, ...wanted.map(([, file = ""]) => file), "--"];
    return [...find, ...make, "env", ...back, ...check, ...argv];
  };
}

const quota = (cpus: number): number => Math.round((cpus * PERIOD_US) / 1000) * 1000;

const sentences = (limits: RoomLimits, isShared: boolean): string[] => {
  const { memoryMb, processes, cpus, fileMb } = limits;
  const by = isShared ? "systemd" : "prlimit";
  const ofWhat = isShared ? "together" : "for each process";
  return [
    ...(memoryMb === undefined ? [] : [`${memoryMb} MB of memory ${ofWhat} (${by})`]),
    ...(processes === undefined ? [] : [`${processes} processes (${by})`]),
    ...(cpus === undefined ? [] : [`${cpus} processors (${by})`]),
    ...(fileMb === undefined ? [] : [`${fileMb} MB for each file (prlimit)`]),
  ];
};
