// The machine has room and memory, and its clock goes forward.
import type { StatsFs } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { freemem } from "node:os";
import { dirname } from "node:path";
import { errorCode } from "../../../lib/error-code.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const DISK_MIN_BYTES = 1_000_000_000;
const INODES_MIN = 10_000;
const MEMORY_MIN_BYTES = 200_000_000;
const SKEW_MS = 60_000;
const MB = 1_000_000;

export const machineCheck: Check = {
  id: "machine",
  title: "disk space, memory and clock of the machine",
  run: async (inspection) => [
    ...diskTroubles(inspection.paths.home, await statfs(await existing(inspection.paths.home))),
    ...memoryTroubles(await availableBytes()),
    ...(await clock(inspection)),
  ],
};

/** A newcomer asks before the first command has made the folder. */
async function existing(path: string): Promise<string> {
  return (await statOf(path)) === undefined ? existing(dirname(path)) : path;
}

export function diskTroubles(
  home: string,
  { bavail, bsize, ffree, files }: Pick<StatsFs, "bavail" | "bsize" | "ffree" | "files">,
): Trouble[] {
  const free = bavail * bsize;
  const hint = `free space on the disk of ${home}: when it is full, no work can be saved`;
  const room: Trouble[] =
    free < DISK_MIN_BYTES
      ? [{ key: "disk", what: `only ${Math.round(free / MB)} MB are free`, hint }]
      : [];
  // File systems that make inodes as they need them say 0.
  if (files === 0 || ffree >= INODES_MIN) return room;
  return [
    ...room,
    {
      key: "inodes",
      what: `only ${ffree} more files can be created`,
      hint: `delete files on the disk of ${home}`,
    },
  ];
}

export function memoryTroubles(free: number): Trouble[] {
  if (free >= MEMORY_MIN_BYTES) return [];
  const what = `only ${Math.round(free / MB)} MB of memory are available`;
  return [{ key: "memory", what, hint: "lower [project] parallel, or end other programs" }];
}

/** What could be had without swapping; caches count as free. */
async function availableBytes(): Promise<number> {
  try {
    const text = await readFile("/proc/meminfo", "utf8");
    const kB = /^MemAvailable:\s+(?<kb>\d+) kB/m.exec(text)?.groups?.["kb"];
    return kB === undefined ? freemem() : Number(kB) * 1024;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return freemem();
    throw error;
  }
}

/** Files and events from the future: the clock was set back, or was wrong. */
async function clock({ paths, store, now }: Inspection): Promise<Trouble[]> {
  const written = (await statOf(paths.journal))?.mtimeMs ?? 0;
  const last = (await store.events({ limit: 1 })).at(-1)?.event.at ?? 0;
  const ahead = Math.max(written, last) - now;
  if (ahead < SKEW_MS) return [];
  const what = `the journal is ${Math.round(ahead / 1000)} s ahead of the clock`;
  return [
    { key: "clock", what, hint: "correct the clock (`timedatectl`): deadlines depend on it" },
  ];
}
