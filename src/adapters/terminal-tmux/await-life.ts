// Waits until a wrapper has written its process record: by the folder's events, with a slow look
// beside it, because events can be dropped and the session can die before it writes anything.
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { readLifeRecord } from "../shared/life-record.ts";
import type { LifeRecord } from "../shared/life-record.ts";

const TIMEOUT_MS = 15_000;
const LOOK_MS = 250;

export async function awaitLife(dir: string, isHere: () => Promise<boolean>): Promise<LifeRecord> {
  const changes = listen(dir);
  try {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      // Asked before the record is read: a session that is gone can write no more.
      const here = changes.looked ? await isHere() : true;
      const life = await readLifeRecord(dir);
      if (life !== undefined) return life;
      if (!here || performance.now() > deadline) throw notBegun(dir, here);
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

type Changes = {
  /** True when the last `next` ended without an event. */
  looked: boolean;
  next(): Promise<void>;
  close(): void;
};

function listen(dir: string): Changes {
  let seen = false;
  let wake: (() => void) | undefined;
  const watcher = watchIfPossible(dir, () => {
    seen = true;
    wake?.();
  });
  const changes: Changes = {
    looked: false,
    close: () => watcher?.close(),
    next: async () => {
      changes.looked = false;
      if (!seen) await wokenOrLate();
      seen = false;
    },
  };
  const wokenOrLate = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        changes.looked = true;
        resolve();
      }, LOOK_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return changes;
}

/** Where the machine has no watches left, the slow look remains. */
function watchIfPossible(dir: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, onEvent);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch (error) {
    if (hasCode(error, ["ENOSPC", "EMFILE"])) return undefined;
    throw error;
  }
}

const notBegun = (dir: string, here: boolean): OperationError =>
  new OperationError(
    `cannot start the session of ${dir}: ${here ? `no process record after ${TIMEOUT_MS} ms` : "it ended before it wrote its process record"}`,
    { code: "session-not-begun", retryable: true, hint: "is the disk full, or mkfifo missing?" },
  );
