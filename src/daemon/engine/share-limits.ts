// An account's limit stops the whole factory: projects whose agents are of the same kind use the
// same account, and hear of it too. It passes facts on and decides nothing.
import type { Project } from "../../core/project/project.ts";
import { projectAggregate } from "../../core/ids.ts";
import type { Store } from "../../ports/store.ts";
import type { Engine } from "./engine.ts";

export function shareLimits(deps: {
  engine: Engine;
  store: Store;
  now: () => number;
  onError: (error: unknown, about: string) => void;
}): void {
  const known = new Map<string, number>();
  deps.engine.onCommitted(({ changed }) => {
    for (const { state } of changed) {
      if (state.kind !== "project" || state.limited === undefined) continue;
      const { until } = state.limited;
      if ((known.get(state.name) ?? 0) >= until) continue;
      known.set(state.name, until);
      tellOthers(state).catch((error: unknown) => deps.onError(error, "share a limit"));
    }
  });

  async function tellOthers({ name, config, limited }: Project): Promise<void> {
    if (limited === undefined) return;
    for (const { state } of await deps.store.aggregates({ kind: "project", isBrief: true })) {
      if (state.kind !== "project" || state.name === name) continue;
      if (state.config?.agent.runtime !== config?.agent.runtime) continue;
      if ((state.limited?.until ?? 0) >= limited.until) continue;
      await deps.engine.loop.submit({
        to: projectAggregate(state.name),
        event: {
          kind: "account-limited",
          at: deps.now(),
          until: limited.until,
          reason: limited.reason,
        },
      });
    }
  }
}
