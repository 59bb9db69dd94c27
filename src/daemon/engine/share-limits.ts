// An account's limit holds for the whole factory: projects whose agents use the same account hear of
// it too. It passes facts on and decides nothing. That a program cannot be started is each project's
// own affair: its command may be another.
import { accountsOf } from "../../core/agent-choice.ts";
import type { AccountLimit, Project } from "../../core/project/project.ts";
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
      if (state.kind !== "project") continue;
      for (const [account, limit] of Object.entries(state.accounts ?? {})) {
        const key = `${state.name} ${account}`;
        if (limit.cannotStart === true || (known.get(key) ?? 0) >= limit.until) continue;
        known.set(key, limit.until);
        tellOthers(state, { account, ...limit }).catch((error: unknown) =>
          deps.onError(error, "share a limit"),
        );
      }
    }
  });

  async function tellOthers(
    { name }: Project,
    { account, until, reason, isShort }: AccountLimit & { account: string },
  ): Promise<void> {
    for (const { state } of await deps.store.aggregates({ kind: "project", isBrief: true })) {
      if (state.kind !== "project" || state.name === name) continue;
      if (state.config === undefined || !accountsOf(state.config).has(account)) continue;
      if ((state.accounts?.[account]?.until ?? 0) >= until) continue;
      // Without the run that asks: a person's answer to it is told to its own project only.
      const short = isShort === true ? { isShort } : {};
      await deps.engine.loop.submit({
        to: projectAggregate(state.name),
        event: { kind: "account-limited", at: deps.now(), until, reason, account, ...short },
      });
    }
  }
}
