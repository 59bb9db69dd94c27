// Does what a host must do in the end, also where the machine has no room for it now: without it, a
// message would be lost, or the agent ended in the middle of its work.
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { isShortage } from "../shortage.ts";

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 5_000;

/** `onWait` is called once, at the first failure that passes; every other one is thrown. */
export async function onceThereIsRoom<T>(
  work: (isFirst: boolean) => Promise<T>,
  onWait: (error: unknown) => void,
): Promise<T> {
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    const isFirst = pauseMs === PAUSE_FIRST_MS;
    try {
      return await work(isFirst);
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (isFirst) onWait(error);
    }
    await pause(pauseMs);
  }
}

/** For people at the pane. */
export const complain = (why: string): void => {
  process.stderr.write(`pawl: ${why}\r\n`);
};
