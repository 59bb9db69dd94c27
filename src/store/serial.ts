// One transaction at a time. `work` is asynchronous, so two of them on one store would mix their
// writes; this queue runs them one after the other, in the order they were asked for. It must
// never run one inside another: the inner would wait for the outer for ever, so that it is found
// out by the asynchronous context and stopped by an assertion.
import { AsyncLocalStorage } from "node:async_hooks";
import { assert } from "../lib/assert.ts";
import { OperationError } from "../lib/operation-error.ts";

/** The life of one transaction: what belongs to it must not be used once it is over. */
export type Life = { active: boolean };

export type Serial = {
  run<T>(work: (life: Life) => Promise<T>): Promise<T>;
  /** Lets what is waiting finish and refuses what comes later. Closing twice is fine. */
  close(): Promise<void>;
};

/** Far more than a daemon ever has waiting; reaching it means that the disk does not keep up. */
const WAITING_MAX = 10_000;

export function createSerial(name: string): Serial {
  const context = new AsyncLocalStorage<Life>();
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  async function inTurn<T>(before: Promise<unknown>, work: (life: Life) => Promise<T>): Promise<T> {
    await before;
    const life: Life = { active: true };
    try {
      return await context.run(life, work, life);
    } finally {
      life.active = false;
      waiting -= 1;
    }
  }

  return {
    async run(work) {
      assert(!context.getStore()?.active, `a transaction of ${name} inside another one`);
      refuseIf(closed, { name, why: "it is closed", code: "store-closed" });
      refuseIf(waiting >= WAITING_MAX, {
        name,
        why: `${WAITING_MAX} transactions are waiting already`,
        code: "store-overloaded",
      });
      waiting += 1;
      const turn = inTurn(tail, work);
      // The next one only waits for this one's end; how it ended is its caller's concern.
      tail = turn.then(ignore, ignore);
      return turn;
    },
    async close() {
      assert(!context.getStore()?.active, `${name} closed from inside a transaction`);
      closed = true;
      await tail;
    },
  };
}

function refuseIf(refused: boolean, reason: { name: string; why: string; code: string }): void {
  if (!refused) return;
  throw new OperationError(`cannot write to ${reason.name}: ${reason.why}`, {
    code: reason.code,
    retryable: reason.code === "store-overloaded",
  });
}

function ignore(): void {
  // Nothing to do: see above.
}
