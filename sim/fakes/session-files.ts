// Session folders of the simulated world. Notifications may come late or twice, as inotify's do,
// and every folder is listed again soon, so that none is lost for good.
import type {
  SessionDir,
  SessionFiles,
  SessionSnapshot,
  WatchedSession,
} from "../../src/ports/session-files.ts";
import { sendPrompt } from "../hooks.ts";
import type { Life } from "../life.ts";
import { moveMessage, type SessionFolder } from "../world.ts";

const LISTED_MS = 2000;
const LATE_MS = 20_000;

export function createFakeSessionFiles(life: Life): SessionFiles {
  const { world } = life;
  const folder = ({ path }: SessionDir): SessionFolder => world.folder(path);
  return {
    async prepare({ dir, prompt }) {
      const made = folder(dir);
      if (made.pid === undefined) made.prompt = prompt;
      await life.pass("session-files.prepare:half");
      return { phaseLink: "linked" };
    },
    read: async (dir) => snapshotOf(life, folder(dir)),
    async deliver({ dir, id, text }) {
      const to = folder(dir);
      if (to.inboxNew.has(id) || to.inboxTyped.has(id) || to.inboxCur.has(id)) return "already";
      to.inboxNew.set(id, text);
      // An agent that confirms sees what is typed; its inbox is read by its hooks only.
      if (world.options.confirms === true) {
        sendPrompt(world, to);
        return "delivered";
      }
      world.tell({ kind: "message-shown", dir: dir.path, id, how: "inbox" });
      to.onMail?.();
      return "delivered";
    },
    async hold({ dir, id, isSent = false }) {
      const { inboxNew, inboxTyped, inboxSent } = folder(dir);
      moveMessage(id, inboxNew, inboxTyped);
      if (!inboxTyped.has(id)) return "taken";
      if (isSent) inboxSent.add(id);
      return "held";
    },
    async release({ dir, id }) {
      const { inboxNew, inboxTyped, inboxSent } = folder(dir);
      if (!inboxSent.has(id)) moveMessage(id, inboxTyped, inboxNew);
    },
    // No simulated agent asks.
    answer: async () => undefined,
    removeSpool: async ({ dir, name }) => {
      folder(dir).spool.delete(name);
    },
    watch: (session) => watch(life, session),
    unlinkPhase: async () => undefined,
    logTail: async () => "the last lines",
    terminalLog: async () => "the last lines",
  };
}

function snapshotOf({ world }: Life, folder: SessionFolder): SessionSnapshot {
  const running = folder.pid === undefined ? undefined : world.processes.get(folder.pid);
  return {
    phase: folder.phase,
    spool: [...folder.spool].map(([name, text]) => ({ name, text })),
    acknowledged: [...folder.inboxCur.keys()],
    exit: folder.exit,
    process: running === undefined ? undefined : { pid: running.pid, startTime: running.startTime },
  };
}

function watch(life: Life, session: WatchedSession): { close(): void } {
  const { world } = life;
  const folder = world.folder(session.dir.path);
  let open = true;
  const notify = (gone: boolean): void => {
    if (!open || life.dead) return;
    session.onChange(snapshotOf(life, folder));
    if (gone) session.onMaybeGone();
  };
  const watcher = (gone: boolean): void => {
    if (life.dead) {
      folder.watchers.delete(watcher);
      return;
    }
    const { faults, clock } = world;
    const late = faults.strikes("watchLate");
    const waitMs = late ? LISTED_MS + faults.lengthMs(LATE_MS) : 10;
    clock.after(waitMs, () => notify(gone));
    if (faults.strikes("watchTwice"))
      clock.after(waitMs + faults.lengthMs(LATE_MS), () => notify(gone));
  };
  folder.watchers.add(watcher);
  return {
    close: () => {
      open = false;
      folder.watchers.delete(watcher);
    },
  };
}
