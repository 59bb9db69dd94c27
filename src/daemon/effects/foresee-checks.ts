// What the merge queue would check next, found out by asking its step: once as if the check that runs
// had passed, once as if it had failed. Nothing of it is kept; what happens may be something else.
import type { CheckOutcome } from "../../core/check.ts";
import type { Commit, Tree } from "../../core/ids.ts";
import { step } from "../../core/step.ts";
import type { EffectContext } from "./executor.ts";

type Asked = Pick<EffectContext, "store" | "aggregate" | "now">;

/** `ref`: the check that runs. */
export async function foreseeChecks(
  { store, aggregate, now }: Asked,
  { ref, tree }: { ref: string; tree: Tree },
): Promise<Commit[]> {
  const stored = await store.load(aggregate);
  if (stored === undefined) return [];
  const results = { tree, results: [], remembered: false };
  const outcomes: CheckOutcome[] = [
    { kind: "passed", ...results, flaky: false },
    { kind: "failed", ...results },
  ];
  return outcomes.flatMap((outcome) => {
    const event = { kind: "candidate-checked", at: now(), ref, outcome } as const;
    return step(aggregate, stored.state, event).output.effects.flatMap(({ effect }) =>
      effect.kind === "check-candidate" ? [effect.commit] : [],
    );
  });
}
