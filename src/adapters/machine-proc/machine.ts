// Memory and sizes from the system: /proc where there is one, else what Node tells.
import { readFile, stat, statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg } from "node:os";
import process from "node:process";
import type { Machine } from "../../ports/machine.ts";
import { errorCode } from "../shared/error-code.ts";

const MB = 1024 * 1024;

export const procMachine: Machine = {
  memory: async () => ({
    freeMb: Math.round((await available()) / MB),
    ownMb: Math.round(process.memoryUsage.rss() / MB),
  }),
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

/** Free memory alone is nearly none on a healthy machine: caches count as available. */
async function available(): Promise<number> {
  try {
    const found = /^MemAvailable:\s+(\d+) kB$/m.exec(await readFile("/proc/meminfo", "utf8"))?.[1];
    return found === undefined ? freemem() : Number(found) * 1024;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return freemem();
    throw error;
  }
}
