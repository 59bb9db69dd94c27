// The files between Pawl and its agents behind the SessionFiles port.
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { SessionFiles } from "../../ports/session-files.ts";
import { deliver } from "./inbox.ts";
import { layoutOf } from "./layout.ts";
import { createLister } from "./lister.ts";
import { logTail } from "./log-tail.ts";
import { unlinkPhase } from "./phase-link.ts";
import { prepare } from "./prepare.ts";
import { watchSession } from "./session-watch.ts";
import { readSession } from "./read-session.ts";
import { terminalLog } from "./terminal-log.ts";

export type SessionFilesOptions = {
  crash: CrashPoint;
  /** Said where watching falls back to listing, or a folder cannot be read. */
  onWarning?: (message: string) => void;
};

export function createSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { crash, onWarning = () => {} } = options;
  const lister = createLister();
  return {
    prepare: async ({ dir, prompt, phaseLink, inputs = {} }) => ({
      phaseLink: await prepare(crash, { dir: dir.path, prompt, phaseLink, inputs }),
    }),
    read: async (dir) => {
      const { phase, spool, acknowledged, exit, process } = await readSession(layoutOf(dir.path));
      return { phase, spool, acknowledged, exit, process };
    },
    deliver: ({ dir, id, text }) => deliver(layoutOf(dir.path), { id, text, crash }),
    removeSpool: async ({ dir, name }) => {
      // A name with a path in it was never listed here.
      if (name === "" || name === "." || name === ".." || basename(name) !== name) return;
      await rm(join(layoutOf(dir.path).spoolNew, name), { recursive: true, force: true });
    },
    watch: (session) => watchSession(session, { lister, onWarning }),
    unlinkPhase: ({ dir, phaseLink }) => unlinkPhase(phaseLink, layoutOf(dir.path).phase),
    logTail,
    terminalLog,
  };
}
