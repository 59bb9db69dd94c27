// How long the event loop of a daemon stands still.
import { setTimeout as wait } from "node:timers/promises";
import type { Place } from "./place.ts";

/** The smallest question, again and again: what it waits for is the event loop. */
export function watchLoop(place: Pick<Place, "api">): () => Promise<number> {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const start = performance.now();
      await place.api("GET", "/v1/ping");
      longest = Math.max(longest, performance.now() - start);
      await wait(5);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longest;
  };
}
