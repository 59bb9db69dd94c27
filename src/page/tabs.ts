// Of all tabs of this browser, one follows the daemon and reads; the others get what it read. So ten
// tabs cost the daemon no more than one. The tab that is looked at leads, because browsers slow down
// those that are hidden.
import { batch, effect } from "@preact/signals";
import { facts, reading, redrawn, trouble, type Facts } from "./facts.ts";
import { connection, lostWhy, type Connection } from "./feed.ts";

const LOCK = "pawl-page-leader";
const CHANNEL = "pawl-page";

type Told = {
  facts: Facts | undefined;
  reading: number;
  redrawn: Readonly<Record<string, number>>;
  connection: Connection;
  trouble: string | undefined;
  lostWhy: string | undefined;
};
type Message = { kind: "told"; told: Told } | { kind: "ask" };

let leads = false;
export const isLeader = (): boolean => leads;

/** Another tab has spoken: what this one reads is told to it. */
let hasOthers = false;

/** `follow` begins to read, and gives the way to stop. */
export function shareWithTabs(follow: () => () => void): void {
  const channel = new BroadcastChannel(CHANNEL);
  const lead = takeTurns(follow);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    hasOthers = true;
    if (data.kind === "ask" && leads) channel.postMessage(message());
    if (data.kind !== "told" || leads) return;
    // This tab may have been paired again since: it asks the daemon itself.
    if (data.told.connection !== "revoked") take(data.told);
    else if (connection.value !== "revoked") lead();
  });
  effect(() => {
    const current = message();
    if (leads && hasOthers) channel.postMessage(current);
  });
  channel.postMessage({ kind: "ask" } satisfies Message);
}

/**
 * The lock is held by the tab that leads; the others wait for it, and one that is looked at takes it.
 * Gives the way to take it.
 */
function takeTurns(follow: () => () => void): () => void {
  /** Of this tab's requests, the one that has the lock. */
  let holder: object | undefined;
  let waiting = new AbortController();
  const request = (how: LockOptions): void => {
    const own: { stop?: () => void } = {};
    const hold = (): Promise<never> => {
      holder = own;
      leads = true;
      own.stop = follow();
      // Until another tab takes it, or this one is closed.
      return new Promise<never>(() => undefined);
    };
    navigator.locks.request(LOCK, how, hold).catch(() => {
      own.stop?.();
      // Where it was only waiting, it has just asked in another way.
      if (holder !== own) return;
      holder = undefined;
      leads = false;
      wait();
    });
  };
  const wait = (): void => {
    waiting = new AbortController();
    request({ signal: waiting.signal });
  };
  const lead = (): void => {
    if (leads) return;
    waiting.abort();
    request({ steal: true });
  };
  const leadWhenSeen = (): void => {
    if (!document.hidden) lead();
  };
  document.addEventListener("visibilitychange", leadWhenSeen);
  // A tab that is opened is looked at, and no event says so.
  if (document.hidden) wait();
  else lead();
  return lead;
}

const message = (): Message => ({
  kind: "told",
  told: {
    facts: facts.value,
    reading: reading.value,
    redrawn: redrawn.value,
    connection: connection.value,
    trouble: trouble.value,
    lostWhy: lostWhy.value,
  },
});

function take(told: Told): void {
  batch(() => {
    facts.value = told.facts;
    reading.value = told.reading;
    redrawn.value = told.redrawn;
    connection.value = told.connection;
    trouble.value = told.trouble;
    lostWhy.value = told.lostWhy;
  });
}
