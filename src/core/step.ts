// The one entry into the core: an aggregate's state and an event in, its next state and what must
// now be done out. Same state + same event = same output: no clock, no randomness, no I/O.
import { assert } from "../lib/assert.ts";
import { kindOf, projectOf, type AggregateId } from "./ids.ts";
import { emptyOutput, type Output } from "./effect.ts";
import type { Event } from "./event.ts";
import { mailDeadline, type Mailbox } from "./mail/mailbox.ts";
import { stepMail } from "./mail/step-mail.ts";
import type { Action } from "./action/action.ts";
import { stepAction } from "./action/step-action.ts";
import type { FormulaRun } from "./formula/run.ts";
import { formulaDeadline, stepFormula } from "./formula/step-formula.ts";
import type { Gate } from "./gate/gate.ts";
import { gateDeadline, stepGate } from "./gate/step-gate.ts";
import { queueDeadline } from "./merge-queue/deadline.ts";
import { stepQueue } from "./merge-queue/step-queue.ts";
import type { Queue } from "./merge-queue/queue.ts";
import type { Patrol } from "./patrol/patrol.ts";
import { stepPatrol } from "./patrol/step-patrol.ts";
import { triageDeadline } from "./patrol/triage.ts";
import type { Reviews } from "./review/reviews.ts";
import { stepReviews } from "./review/step-reviews.ts";
import type { Plugins } from "./plugin/plugin.ts";
import { stepPlugins } from "./plugin/step-plugins.ts";
import { projectDeadline, stepProject } from "./project/step-project.ts";
import type { Project } from "./project/project.ts";
import { vaultDeadline, type VaultItem } from "./vault/item.ts";
import { stepVault } from "./vault/step-vault.ts";
import { runDeadline } from "./run/proceed.ts";
import type { Run } from "./run/run.ts";
import { scheduleDeadline, type Schedules } from "./schedule/schedule.ts";
import { stepSchedule } from "./schedule/step-schedule.ts";
import { stepRun } from "./run/step-run.ts";
import { isQuarantined, tellOfQuarantine } from "./quarantine.ts";
import { isKnownKind, tellOfUnknownEffect, UNKNOWN_EFFECT } from "./unknown-state.ts";

export type AggregateState =
  | Project
  | Run
  | Queue
  | Mailbox
  | FormulaRun
  | Patrol
  | Plugins
  | Reviews
  | Schedules
  | Gate
  | VaultItem
  | Action;

export type Step = { state: AggregateState | undefined; output: Output };

/** `undefined` state means the aggregate does not exist yet; only its first event may make it. */
export function step(id: AggregateId, state: AggregateState | undefined, event: Event): Step {
  // Another version's: nothing is decided on it.
  if (!isKnownKind(id)) return { state, output: emptyOutput() };
  const stepped = stepKind(id, state, event);
  const isStrange = event.kind === "effect-failed" && event.failed.code === UNKNOWN_EFFECT;
  // A run asks a person by itself.
  if (isStrange && kindOf(id) !== "run") {
    const { failed } = event;
    const effect = tellOfUnknownEffect(id, failed);
    const key = `${failed.obligation.key}:unknown`;
    stepped.output.effects.push({ key, lane: `notify:${projectOf(id)}`, effect });
  }
  if (event.kind === "effect-failed" && isQuarantined(event.failed) && !isAsked(stepped.state)) {
    const { failed } = event;
    // What tells people is not told of by itself.
    if (failed.obligation.effect.kind !== "notify") {
      const key = `${failed.obligation.key}:quarantine:${event.at}`;
      const effect = tellOfQuarantine(id, failed);
      stepped.output.effects.push({ key, lane: `notify:${projectOf(id)}`, effect });
    }
  }
  return stepped;
}

/** A person is asked about it already. */
const isAsked = (state: AggregateState | undefined): boolean =>
  state?.kind === "run" && state.stage.kind === "escalated";

function stepKind(id: AggregateId, state: AggregateState | undefined, event: Event): Step {
  const output = emptyOutput();
  const family = kindOf(id);
  if (family === "project") {
    return { state: stepProject(asKind(state, "project"), event, output), output };
  }
  if (family === "run") return { state: stepRun(asKind(state, "run"), event, output), output };
  if (family === "mail") return { state: stepMail(asKind(state, "mail"), event, output), output };
  if (family === "formula") {
    return { state: stepFormula(asKind(state, "formula"), event, output), output };
  }
  if (family === "plugin") {
    return { state: stepPlugins(asKind(state, "plugin"), event, output), output };
  }
  if (family === "patrol") {
    return { state: stepPatrol(asKind(state, "patrol"), event, output), output };
  }
  if (family === "reviews") {
    return { state: stepReviews(id, asKind(state, "reviews"), { event, output }), output };
  }
  if (family === "gate") return { state: stepGate(asKind(state, "gate"), event, output), output };
  if (family === "action") {
    return { state: stepAction(asKind(state, "action"), event, output), output };
  }
  if (family === "schedule") {
    return { state: stepSchedule(asKind(state, "schedule"), event, output), output };
  }
  if (family === "vault")
    return { state: stepVault(asKind(state, "vault"), event, output), output };
  return { state: stepQueue(asKind(state, "queue"), event, output), output };
}

function asKind<K extends AggregateState["kind"]>(
  state: AggregateState | undefined,
  kind: K,
): Extract<AggregateState, { kind: K }> | undefined {
  if (state === undefined) return undefined;
  assert(state.kind === kind, `a ${kind} was to be stepped, but the state is a ${state.kind}`);
  return state as Extract<AggregateState, { kind: K }>;
}

/** The next instant at which this aggregate wants `deadline-passed`. */
export function deadlineOf(state: AggregateState): number | undefined {
  switch (state.kind) {
    case "run":
      return runDeadline(state);
    case "queue":
      return queueDeadline(state);
    case "project":
      return projectDeadline(state);
    case "mail":
      return mailDeadline(state);
    case "formula":
      return formulaDeadline(state);
    case "patrol":
      return triageDeadline(state);
    case "plugin":
      return undefined;
    case "reviews":
      // Each of its waits is a task's, an effect's or a run's, and theirs have deadlines.
      return undefined;
    case "action":
      // What it waits for is a formula, a run or an effect, and theirs have deadlines.
      return undefined;
    case "gate":
      return gateDeadline(state);
    case "schedule":
      return scheduleDeadline(state);
    case "vault":
      return vaultDeadline(state);
  }
}
