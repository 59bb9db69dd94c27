// Memory and sizes from the system: /proc where there is one, else what Node tells.
import { readFile, stat, statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg } from "node:os";
import process from "node:process";
import { errorCode } from "../../lib/error-code.ts";
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
};

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
