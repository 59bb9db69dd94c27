// What one transaction changed, for the number that followers see of it. Both stores use it, so that
// they agree on what counts as a change.
import type { AggregateId } from "../core/ids.ts";
import type { Transaction } from "../ports/store.ts";

/** Enough to resume after a restart or a night's sleep; older followers read everything again. */
export const CHANGES_KEPT = 10_000;
/** A look at many sessions changes them all every two seconds: listing each would fill the journal. */
const LISTED_MAX = 16;

export class Touched {
  readonly #aggregates = new Set<AggregateId>();
  isAnything = false;

  /** The ids that changed; null where there are too many to list. */
  aggregates(): AggregateId[] | null {
    return this.#aggregates.size > LISTED_MAX ? null : [...this.#aggregates];
  }

  /** The same transaction; what it writes is noted. No call takes longer for it. */
  around(tx: Transaction): Transaction {
    const { records } = tx;
    const note = <T>(written: T): T => {
      this.isAnything = true;
      return written;
    };
    const noteIfDone = (done: Promise<boolean>): Promise<boolean> => {
      done.then(
        (isDone) => isDone && note(true),
        () => undefined,
      );
      return done;
    };
    return {
      load: (id) => tx.load(id),
      save: (id, state, wakeAt) => {
        this.#aggregates.add(id);
        return note(tx.save(id, state, wakeAt));
      },
      archive: (id, state, entry) => {
        this.#aggregates.add(id);
        return note(tx.archive(id, state, entry));
      },
      append: (to, event) => note(tx.append(to, event)),
      takeIn: (key, at) => noteIfDone(tx.takeIn(key, at)),
      enqueue: (row) => note(tx.enqueue(row)),
      settle: (key) => noteIfDone(tx.settle(key)),
      postpone: (key, retry) => note(tx.postpone(key, retry)),
      emit: (signal) => note(tx.emit(signal)),
      records: {
        get: (collection, key) => records.get(collection, key),
        list: (collection) => records.list(collection),
        page: (collection, query) => records.page(collection, query),
        put: (collection, key, value) => note(records.put(collection, key, value)),
        delete: (collection, key) => note(records.delete(collection, key)),
      },
    };
  }
}
