// What another version of Pawl may have left in the journal that this one does not know. It is left
// as it is, nothing is decided on it, and a person is told once. (A run and a vault item have a
// stage in which a person is asked: upgrade.ts puts them there.)
import type { Action } from "./action/action.ts";
import type { Effect } from "./effect.ts";
import type { StepState } from "./formula/run.ts";
import { kindOf, type AggregateId } from "./ids.ts";
import { leftByAnother, notCarriedOut } from "./words/messages.ts";
import type { AggregateState } from "./step.ts";

/** Why an effect failed whose kind this version does not know. */
export const UNKNOWN_EFFECT = "unknown-effect";

const KINDS: Record<AggregateState["kind"], true> = {
  project: true,
  run: true,
  queue: true,
  mail: true,
  formula: true,
  patrol: true,
  plugin: true,
  reviews: true,
  schedule: true,
  gate: true,
  vault: true,
  action: true,
};

const ACTION_STAGES: Record<Action["stage"]["kind"], true> = {
  beginning: true,
  formula: true,
  task: true,
  settling: true,
  ended: true,
};

const STEP_STATES: Record<StepState["kind"], true> = {
  waiting: true,
  running: true,
  retrying: true,
  done: true,
  failed: true,
  skipped: true,
};

const KIND_NAMES: ReadonlySet<string> = new Set(Object.keys(KINDS));

export const isKnownKind = (id: AggregateId): boolean => KIND_NAMES.has(kindOf(id));

/** Undefined where everything is known. */
export function unknownIn(id: AggregateId, state: AggregateState): string | undefined {
  if (!isKnownKind(id)) return `"${kindOf(id)}"`;
  if (state.kind === "action" && !Object.hasOwn(ACTION_STAGES, state.stage.kind)) {
    return `the stage "${(state.stage as { kind: string }).kind}"`;
  }
  if (state.kind !== "formula") return undefined;
  const strange = Object.values(state.steps).find(({ kind }) => !Object.hasOwn(STEP_STATES, kind));
  return strange === undefined ? undefined : `a step that is "${strange.kind}"`;
}

export const tellOfUnknown = (id: AggregateId, what: string): Effect => ({
  kind: "notify",
  severity: "urgent",
  title: `this version of Pawl does not understand the state of ${id}`,
  body: leftByAnother(id, what),
});

export const tellOfUnknownEffect = (id: AggregateId, failed: { message: string }): Effect => ({
  kind: "notify",
  severity: "urgent",
  title: `this version of Pawl cannot carry out a request of ${id}`,
  body: notCarriedOut(id, failed.message),
});
