// A project's merge queue at work where no daemon runs: takes the lock and runs the same engine, but
// carries out only the queue's own effects. No agent is started, watched or told anything; what
// follows for runs waits in the journal.
import type { QueueView } from "../../api/queue.ts";
import { projectName, queueAggregate, type AggregateId } from "../../core/ids.ts";
import { assert } from "../../lib/assert.ts";
import { crashPointFrom } from "../engine/crash-at.ts";
import { openFactory, type Factory, type FactoryPlace } from "../host/factory.ts";
import { noLog } from "../host/no-log.ts";
import { queueView } from "../views/queue.ts";

export type QueueAtWork = {
  view(): Promise<QueueView>;
  /** Resolves when something has changed since the last view. */
  changed(): Promise<void>;
  /** Waits for what is quickly done (branches that go, notices), gives up the rest, frees the lock. */
  close(): Promise<void>;
};

/** `find` says which project is meant, by the same rules as every request. */
export async function workOnQueue(
  place: FactoryPlace,
  find: (factory: Factory) => Promise<string>,
): Promise<QueueAtWork> {
  let only: AggregateId | undefined;
  const factory = await openFactory({
    ...place,
    log: noLog,
    crash: crashPointFrom(process.env),
    scope: () => true,
    wants: (row) => row.aggregate === only,
    observes: false,
    daemon: null,
  });
  try {
    only = queueAggregate(projectName(await find(factory)));
    const changes = follow(factory);
    // Before the first view: what the user's checkout held up is tried again at once.
    await factory.engine.resume(only);
    return atWork(factory, only, changes);
  } catch (error) {
    await factory.close();
    throw error;
  }
}

function atWork(factory: Factory, only: AggregateId, changed: () => Promise<void>): QueueAtWork {
  const { store, paths, engine } = factory;
  /** Checks and landings of what comes next may take long, and are taken up again later. */
  const isQuick = ({ lane }: { lane: string }): boolean =>
    [`${only}:clear`, `${only}:build`, `${only}:notify`].includes(lane);
  return {
    view: async () => {
      const stored = await store.load(only);
      assert(stored?.state.kind === "queue", `${only} is not a merge queue`);
      return queueView(stored.state, { paths });
    },
    changed,
    close: async () => {
      while (engine.outbox.pending().some(isQuick)) await changed();
      await engine.publish.flush(only);
      await factory.close();
    },
  };
}

/** A change between two waits is not missed. */
export function follow({ engine }: Factory): () => Promise<void> {
  let next = Promise.withResolvers<void>();
  engine.onCommitted(() => next.resolve());
  return async () => {
    await next.promise;
    next = Promise.withResolvers<void>();
  };
}
