// Logs stay within their bounds: terminal logs of runs that are over, and the daemon's own.
import { cutToEnd, LOG_MAX_BYTES } from "../../host/retention.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";

export const logsCheck: Check = {
  id: "logs",
  title: "size of the logs",
  run: async (inspection) => {
    const { paths } = inspection;
    const over = await inspection.pastRuns();
    const logs = over.map(({ project, id }) => paths.paneLog(project, id));
    // A living daemon holds its log open: cutting it by rename would lose what comes next.
    const own = inspection.daemon === null ? [paths.log] : [];
    return (await Promise.all([...logs, ...own].map(look))).flat();
  },
};

async function look(path: string): Promise<Trouble[]> {
  const size = (await statOf(path))?.size ?? 0;
  if (size <= LOG_MAX_BYTES) return [];
  const fix = { plan: `keep only the end of ${path}`, apply: () => cutToEnd(path) };
  return [{ key: path, what: `${path} has ${Math.round(size / 1e6)} MB`, fix }];
}
