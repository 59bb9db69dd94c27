// The daemon is well, and one that died left nothing in the way.
import { rm } from "node:fs/promises";
import { daemonRecord } from "../../views/daemon.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const SILENT_MS = 60_000;

export const daemonCheck: Check = {
  id: "daemon",
  title: "health of the daemon, and files that a dead daemon left behind",
  run: async (inspection) =>
    inspection.daemon === null ? leftBehind(inspection) : silence(inspection),
};

/** Beats every 10 s: one that has not for a minute does not get to it. */
async function silence({ paths, now, daemon, version }: Inspection): Promise<Trouble[]> {
  const beat = (await statOf(paths.heartbeat))?.mtimeMs ?? now;
  const troubles: Trouble[] = [];
  if (now - beat > SILENT_MS) {
    const what = `the daemon's heartbeat is ${Math.round((now - beat) / 1000)} s old`;
    troubles.push({ key: "silent", what, hint: "`pawl down` and `pawl up`; agents keep running" });
  }
  if (daemon !== null && daemon.version !== version) {
    const what = `the daemon is version ${daemon.version}, this is ${version}`;
    troubles.push({ key: "version", what, hint: "`pawl down` and `pawl up`; agents keep running" });
  }
  return troubles;
}

/** Without the lock, a daemon may be starting at this very moment: only who holds it may say so. */
async function leftBehind({ paths, store, ports, writing, now }: Inspection): Promise<Trouble[]> {
  const record = await daemonRecord(store);
  const isGone =
    record?.endedAt !== undefined ||
    record?.process === undefined ||
    (await ports.terminal.probe(record.process)) === "dead";
  if (!isGone) return [];
  const found = await Promise.all(
    [paths.socket, paths.heartbeat].map(async (path): Promise<Trouble[]> => {
      const there = await statOf(path);
      if (there === undefined || now - there.mtimeMs < SILENT_MS / 10) return [];
      const fix = {
        plan: `remove ${path}`,
        apply: async () => {
          if (writing !== undefined) await rm(path, { force: true });
        },
      };
      return [{ key: path, what: `${path} was left behind by a daemon that died`, fix }];
    }),
  );
  return found.flat();
}
