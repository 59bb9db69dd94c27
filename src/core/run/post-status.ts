// Posts the result of Pawl's own CI for a head to the forge that has its PR, for people to see
// there.
// Nothing waits for it: it has its own lane, so that a forge that is down delays nothing else.
import type { CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import { runAggregate, type Commit } from "../ids.ts";
import * as say from "../words/messages.ts";
import type { Run } from "./run.ts";

/** `undefined`: it has begun. */
export function postStatus(
  run: Run,
  check: { head: Commit; outcome: CheckOutcome | undefined },
  context: Context,
): void {
  if (run.config.forge === undefined) return;
  const { head, outcome } = check;
  const state = STATES[outcome?.kind ?? "begun"];
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:status:${head}:${run.phase?.ordinal ?? 0}:${run.counts.infraRetries}:${state}`,
    lane: `${aggregate}:status`,
    effect: { kind: "post-status", head, state, description: say.ciStatus(outcome) },
  });
}

const STATES = {
  begun: "pending",
  passed: "success",
  failed: "failure",
  infra: "error",
} as const;
