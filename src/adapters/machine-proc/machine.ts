// Memory and sizes from the system: /proc where there is one, else what Node tells.
import { readdir, readFile, stat, statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { run } from "../shared/run.ts";
import { openUntrusted } from "../shared/untrusted-file.ts";
import type { Machine } from "../../ports/machine.ts";

const MB = 1024 * 1024;

export const procMachine: Machine = {
  memory: async () => {
    const known = await memoryFigures();
    // Free memory alone is nearly none on a healthy machine: caches count as available.
    const free = known.get("MemAvailable") ?? freemem();
    const swapped = (known.get("SwapTotal") ?? 0) - (known.get("SwapFree") ?? 0);
    return {
      freeMb: Math.round(free / MB),
      swapUsedMb: Math.round(swapped / MB),
      ownMb: Math.round(process.memoryUsage.rss() / MB),
    };
  },
  fileMb: async (path) => {
    try {
      return Math.round((await stat(path)).size / MB);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return 0;
      throw error;
    }
  },
  diskUsedPercent: async (path) => {
    const { blocks, bavail } = await statfs(path);
    return blocks === 0 ? 0 : Math.round((100 * (blocks - bavail)) / blocks);
  },
  loadPerCore: () => (loadavg()[1] ?? 0) / availableParallelism(),
  containers,
  tail: async (path, lines) => {
    const text = await endOf(path);
    const all = stripVTControlCharacters(text)
      .split(/\r?\n/)
      .map((line) => line.trimEnd())
      .filter((line) => line !== "");
    return all.slice(-lines);
  },
  folders: async (path) => {
    const entries = await orNothing(readdir(path, { withFileTypes: true }), []);
    const folders = entries.filter((entry) => entry.isDirectory());
    return Promise.all(
      folders.map(async ({ name }) => {
        const known = await orNothing(stat(join(path, name)), undefined);
        return { name, changedAt: known?.mtimeMs ?? 0 };
      }),
    );
  },
};

const TAIL_BYTES = 16 * 1024;

async function endOf(path: string): Promise<string> {
  // An agent's terminal writes some of them.
  await using file = await openUntrusted(path);
  if (file === undefined) return "";
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString("utf8");
}

async function orNothing<T, N>(wanted: Promise<T>, nothing: N): Promise<T | N> {
  try {
    return await wanted;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return nothing;
    throw error;
  }
}

const CONTAINERS_MAX = 50;

/** What Docker or Podman says; one that is not installed, or not running, has none. */
async function containers(): Promise<string[]> {
  for (const program of ["docker", "podman"]) {
    try {
      const { stdout } = await run({
        argv: [program, "ps", "--format", "{{.Names}} {{.Image}} {{.Status}}"],
        cwd: "/",
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
        timeoutMs: 5000,
        maxBytes: 64 * 1024,
        overflow: "truncate",
      });
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .slice(0, CONTAINERS_MAX);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  }
  return [];
}

/** In bytes, by the system's own names; none where the system has no such file. */
async function memoryFigures(): Promise<Map<string, number>> {
  try {
    const lines = (await readFile("/proc/meminfo", "utf8")).matchAll(/^(\w+):\s+(\d+) kB$/gm);
    return new Map([...lines].map(([, name = "", kb = "0"]) => [name, Number(kb) * 1024]));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new Map();
    throw error;
  }
}
