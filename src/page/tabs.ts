// Of all tabs of this browser, one follows the daemon and reads; the others get what it read. So ten
// tabs cost the daemon no more than one. The tab that is looked at leads, because browsers slow down
// those that are hidden.
import { batch, effect } from "@preact/signals";
import { facts, reading, trouble, type Facts } from "./facts.ts";
import { connection, lostWhy, type Connection } from "./feed.ts";

const LOCK = "pawl-page-leader";
const CHANNEL = "pawl-page";

type Told = {
  facts: Facts | undefined;
  reading: number;
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
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    hasOthers = true;
    if (data.kind === "ask" && leads) channel.postMessage(message());
    if (data.kind === "told" && !leads) take(data.told);
  });
  effect(() => {
    const current = message();
    if (leads && hasOthers) channel.postMessage(current);
  });
  takeTurns(follow);
  channel.postMessage({ kind: "ask" } satisfies Message);
}

/** The lock is held by the tab that leads; the others wait for it, and one that is looked at takes it. */
function takeTurns(follow: () => () => void): void {
  let stop = (): void => undefined;
  let waiting = new AbortController();
  const hold = (): Promise<never> => {
    leads = true;
    stop = follow();
    // Until another tab takes it, or this one is closed.
    return new Promise<never>(() => undefined);
  };
  const request = (how: LockOptions): void => {
    navigator.locks.request(LOCK, how, hold).catch(() => {
      // Where it was only waiting, it has just asked in another way.
      if (!leads) return;
      leads = false;
      stop();
      wait();
    });
  };
  const wait = (): void => {
    waiting = new AbortController();
    request({ signal: waiting.signal });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || leads) return;
    waiting.abort();
    request({ steal: true });
  });
  wait();
}

const message = (): Message => ({
  kind: "told",
  told: {
    facts: facts.value,
    reading: reading.value,
    connection: connection.value,
    trouble: trouble.value,
    lostWhy: lostWhy.value,
  },
});

function take(told: Told): void {
  batch(() => {
    facts.value = told.facts;
    reading.value = told.reading;
    connection.value = told.connection;
    trouble.value = told.trouble;
    lostWhy.value = told.lostWhy;
  });
}
