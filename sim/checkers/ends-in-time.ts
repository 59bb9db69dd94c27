// A session that is to end is ended in every state of the forge and upstream: its end waits only for
// what is done with the session itself. Judged by the journal: an end that was begun is settled, or its
// first try has failed.
import type { NewOutboxRow } from "../../src/ports/store.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const MINUTE_MS = 60_000;
const LOOK_MS = 5 * MINUTE_MS;
/** Slow calls, a full disk of the journal for a quarter of an hour, and the agent's time to leave. */
const BEGUN_MS = 45 * MINUTE_MS;
/** What may be under way with the session before its end. */
const OF_SESSION = new Set(["spawn-session", "end-session", "checkpoint"]);

export function endsInTime(world: World): Checker {
  const name = "ends-in-time";
  const wanted = new Map<string, NewOutboxRow>();
  /** Since when this end has had nothing of its own session before it. */
  const freeSince = new Map<string, number>();
  let isUp = false;

  const isNext = (row: NewOutboxRow): boolean => {
    for (const [key, other] of wanted) {
      if (key === row.key) return true;
      if (other.aggregate === row.aggregate) return false;
    }
    return true;
  };

  function look(): void {
    world.clock.after(LOOK_MS, look);
    const now = world.clock.monotonicMs();
    for (const row of wanted.values()) {
      if (row.effect.kind !== "end-session" || !isUp || !isNext(row)) freeSince.delete(row.key);
      else if (!freeSince.has(row.key)) freeSince.set(row.key, now);
      else if (now - (freeSince.get(row.key) ?? now) > BEGUN_MS) {
        world.fail(name, `${row.key} has not been tried for ${BEGUN_MS / MINUTE_MS} min`);
      }
    }
  }

  const want = (row: NewOutboxRow): void => {
    if (OF_SESSION.has(row.effect.kind) && !wanted.has(row.key)) wanted.set(row.key, row);
  };

  const tried = (key: string): void => {
    wanted.delete(key);
    freeSince.delete(key);
  };

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (fact.kind === "daemon-started") isUp = true;
      if (fact.kind === "daemon-killed") {
        isUp = false;
        freeSince.clear();
      }
      if (fact.kind !== "journaled") return;
      for (const { key } of fact.journaled.postponed) {
        if (wanted.get(key)?.effect.kind === "end-session") tried(key);
      }
      // One that is asked for may be cancelled in the same transaction.
      for (const one of fact.journaled.written) {
        if (one.kind === "settled") tried(one.key);
        if (one.kind === "effect") want(one.row);
      }
    },
  };
}
