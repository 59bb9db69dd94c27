// Accepts news: into the daemon's log, and for each of the project's channels whose least severity
// it reaches. The dispatcher delivers it, so that no caller waits for a server outside.
import { isAtLeast } from "../../core/channel.ts";
import type { Notifier } from "../../ports/notifier.ts";
import type { Store } from "../../ports/store.ts";
import type { Log } from "../host/log.ts";
import { accept } from "./notices.ts";
import { changeNotices, waysOf } from "./records.ts";

export function createNoticeBoard(deps: { store: Store; log: Log; now: () => number }): Notifier {
  const { store, log } = deps;
  const listeners = new Set<() => void>();
  return {
    notify: async (news) => {
      const { key, project, severity, title, body } = news;
      log.warn({ key, project, severity, body }, `news: ${title}`);
      for (const way of await waysOf(store, project)) {
        const { severity: least, foldMs } = way.channel;
        if (!isAtLeast(severity, least)) continue;
        const at = deps.now();
        await changeNotices(store, way, (notices) => accept(notices, news, { at, foldMs }));
      }
      for (const listener of listeners) listener();
    },
    onTaken: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
