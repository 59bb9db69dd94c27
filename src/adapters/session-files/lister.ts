// One timer for all watched sessions. inotify drops events under load, so every session is looked
// at every 2 s: four stats tell whether anything moved, and now and then it is listed regardless.
// The stats are synchronous: 3 µs each, where asynchronous ones cost ten times that. Hundreds of sessions
// are looked at in several turns of the event loop, so that none holds up an answer.
import { statSync } from "node:fs";
import type { Layout } from "./layout.ts";

const EVERY_MS = 2_000;
const REGARDLESS_EVERY = 15;
/** A folder changed this recently may change again without its time moving. */
const SETTLED_MS = 50;
const IN_ONE_TURN = 10;

export type Listed = { look(regardless: boolean): void };

export type Lister = { add(listed: Listed): void; remove(listed: Listed): void };

export function createLister(everyMs: number = EVERY_MS): Lister {
  const all = new Set<Listed>();
  let timer: NodeJS.Timeout | undefined;
  let round = 0;
  const lookAt = (listed: readonly Listed[], from: number): void => {
    const until = from + IN_ONE_TURN;
    for (const [index, one] of listed.slice(from, until).entries()) {
      // A different fifteenth of them each time.
      if (all.has(one)) one.look((round + from + index) % REGARDLESS_EVERY === 0);
    }
    if (until < listed.length) setImmediate(lookAt, listed, until);
  };
  const tick = (): void => {
    round += 1;
    lookAt([...all], 0);
  };
  return {
    add: (listed) => {
      all.add(listed);
      timer ??= setInterval(tick, everyMs).unref();
    },
    remove: (listed) => {
      all.delete(listed);
      if (all.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Moves when the folder's content does; undefined while it is too fresh to be trusted. */
export function fingerprint(layout: Layout): string | undefined {
  const fresh = Date.now() - SETTLED_MS;
  const parts: string[] = [];
  for (const path of [layout.dir, layout.phase, layout.spoolNew, layout.inboxCur]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && stat.ctimeMs > fresh) return undefined;
    parts.push(
      stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`,
    );
  }
  return parts.join(" ");
}
