// The files between Pawl and its agents behind the SessionFiles port.
import { basename, join } from "node:path";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { SessionFiles } from "../../ports/session-files.ts";
import { deliver, hold, release } from "./inbox.ts";
import { layoutOf } from "./layout.ts";
import { createLister } from "./lister.ts";
import { logTail } from "./log-tail.ts";
import { unlinkPhase } from "./phase-link.ts";
import { prepare } from "./prepare.ts";
import { watchSession } from "./session-watch.ts";
import { readSession } from "./read-session.ts";
import { byteString, Folder } from "../shared/folder.ts";
import { writeWhole } from "../shared/write-whole.ts";
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
    hold: ({ dir, id, isSent = false }) => hold(layoutOf(dir.path), { id, isSent }),
    release: ({ dir, id }) => release(layoutOf(dir.path), id),
    answer: ({ dir, id, text }) => writeWhole(join(dir.path, `answer-${id}.json`), text),
    removeSpool: async ({ dir, name }) => {
      // A name with a path in it was never listed here.
      if (name === "" || name === "." || name === ".." || basename(name) !== name) return;
      // No link is followed: an agent could put one where the folder was, and have others emptied.
      await using folder = await ifThere(Folder.open(dir.path));
      await using spool = await folder?.enter("spool/new");
      await spool?.remove(byteString(name));
    },
    watch: (session) => watchSession(session, { lister, onWarning }),
    unlinkPhase: ({ dir, phaseLink }) => unlinkPhase(phaseLink, layoutOf(dir.path).phase),
    logTail,
    terminalLog,
  };
}
