// What is over leaves what is alive in the very transaction that ends it, is found by its id as it
// was left, and has one row in the history; what is not over is never archived. What comes back from
// the archive, as an action does whose issue is opened again, has left it in the same transaction.
import { historyOf } from "../../src/core/history.ts";
import { kindOf, type AggregateId } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const KINDS = ["run", "formula", "gate", "vault", "action"] as const;
type Kind = (typeof KINDS)[number];

export function archive(world: World): Checker {
  const name = "archive";
  const last = new Map<AggregateId, AggregateState>();
  const archived = new Set<AggregateId>();

  /** Both are read at this moment: the store in memory answers from one state of its tables. */
  async function cameBack(id: AggregateId): Promise<void> {
    const kinds = KINDS.filter((kind) => kind === kindOf(id));
    const [alive, history] = await Promise.all([world.store.aggregates(), rows(kinds)]);
    if (alive.some((one) => one.id === id) && history.has(id)) {
      world.fail(name, `${id} is alive and archived at once`);
    }
  }

  async function rows(kinds: readonly Kind[]): Promise<Set<AggregateId>> {
    const pages = kinds.map((kind) => world.store.history({ kind, limit: Infinity }));
    return new Set((await Promise.all(pages)).flat().map(({ id }) => id));
  }

  return {
    name,
    hear(fact) {
      if (fact.kind !== "journaled") return;
      for (const { id, state, isArchived } of fact.journaled.states) {
        last.set(id, state);
        if (isArchived) archived.add(id);
        else if (archived.delete(id)) {
          cameBack(id).catch((error: unknown) => world.fail(name, String(error)));
        }
        const isOver = historyOf(state) !== undefined;
        if (isOver !== isArchived) {
          world.fail(name, `${id} is ${isOver ? "" : "not "}over, and was put in the wrong place`);
        }
      }
    },
    async atEnd() {
      const history = await rows(KINDS);
      const alive = new Set((await world.store.aggregates()).map(({ id }) => id));
      for (const [id, state] of last) {
        const isOver = historyOf(state) !== undefined;
        if ((await world.store.load(id))?.state !== state) {
          world.fail(name, `${id} is not found as it was left`);
        }
        if (alive.has(id) === isOver || history.has(id) !== isOver) {
          world.fail(name, `${id} is ${isOver ? "" : "not "}over, and is kept in the wrong place`);
        }
      }
    },
  };
}
