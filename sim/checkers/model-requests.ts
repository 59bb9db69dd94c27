// Requests to models: none is sent once the run has spent its budget, so that it is exceeded by one
// request at most, and none with a key that its provider has limited. Counted here from what was sent.
import { runAggregate, type AggregateId } from "../../src/core/ids.ts";
import { budgetOf } from "../config.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function modelRequests(world: World): Checker {
  const name = "model-requests";
  const budget = budgetOf(world.options);
  /** Since a person last spoke: an answer may have raised the budget. */
  const sent = new Map<AggregateId, number>();
  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") {
        for (const { to, event } of fact.journaled.events) {
          if (event.kind === "escalation-answered" || event.kind === "run-retried") sent.delete(to);
        }
        return;
      }
      if (fact.kind !== "model-asked") return;
      const { project, run } = fact.process;
      const of = runAggregate(project, run);
      const before = sent.get(of) ?? 0;
      const whose = `${project}/${run}`;
      if (before >= budget.run.tokens)
        world.fail(name, `${whose} asks its model though it has spent ${before} tokens`);
      if ((world.keyLimit?.until ?? 0) > world.clock.now())
        world.fail(name, `${whose} asks its model with a key that is limited`);
      sent.set(of, before + fact.tokens);
    },
  };
}
