// The notifier that is always there: news goes into the daemon's log. Status shows what waits for
// a person in any case, so that nothing depends on this being read.
import type { Notifier } from "../../ports/notifier.ts";

type Log = { warn(facts: Record<string, unknown>, text: string): void };

export const createLogNotifier = (log: Log): Notifier => ({
  notify: async ({ key, project, severity, title, body }) => {
    log.warn({ key, project, severity, body }, `news: ${title}`);
  },
});
