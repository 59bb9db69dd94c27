// One run of a formula at work where no daemon runs: takes the lock and runs the same engine, but
// carries out only what belongs to that run. No agent is started or watched.
import type { FormulaRunView } from "../../api/formulas.ts";
import { formulaAggregate, projectName } from "../../core/ids.ts";
import { assert } from "../../lib/assert.ts";
import { crashPointFrom } from "../engine/crash-at.ts";
import { openFactory, type Factory, type FactoryPlace } from "../host/factory.ts";
import { noLog } from "../host/no-log.ts";
import { formulaRunView } from "../views/formulas.ts";
import { follow } from "./work-on-queue.ts";

export type FormulaAtWork = {
  view(): Promise<FormulaRunView>;
  /** Resolves when something has changed since the last view. */
  changed(): Promise<void>;
  /** Waits for what is quickly done, lets commands live on, frees the lock. */
  close(): Promise<void>;
};

/** `find` says which run is meant, by the same rules as every request. */
export async function workOnFormula(
  place: FactoryPlace,
  find: (factory: Factory) => Promise<FormulaRunView>,
): Promise<FormulaAtWork> {
  let only: string | undefined;
  /** Its gates have its id before their own. */
  const isIts = (aggregate: string): boolean =>
    aggregate === only || aggregate.startsWith(`${only?.replace(/^formula:/, "gate:")}.`);
  const factory = await openFactory({
    ...place,
    log: noLog,
    crash: crashPointFrom(process.env),
    scope: () => true,
    wants: (row) => isIts(row.aggregate),
    observes: false,
    daemon: null,
  });
  const { engine, store } = factory;
  try {
    const { project, id } = await find(factory);
    const aggregate = formulaAggregate(projectName(project), id);
    only = aggregate;
    const changed = follow(factory);
    await engine.resume(aggregate);
    const awake = stayAwake();
    return {
      view: async () => {
        const stored = await store.load(aggregate);
        assert(stored?.state.kind === "formula", `${aggregate} is not a run of a formula`);
        return formulaRunView(stored.state, []);
      },
      changed,
      close: async () => {
        const isQuick = ({ effect }: { effect: { kind: string } }): boolean =>
          effect.kind.startsWith("clear-") || effect.kind === "notify";
        while (engine.outbox.pending().some(isQuick)) await changed();
        clearInterval(awake);
        await factory.close();
      },
    };
  } catch (error) {
    await factory.close();
    throw error;
  }
}

/** Deadlines alone keep no program alive, and a step that is tried again later is only a deadline. */
const stayAwake = (): NodeJS.Timeout => setInterval(() => undefined, 60_000);
