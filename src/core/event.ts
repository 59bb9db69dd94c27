// Everything that can happen, as past-tense facts that carry their own time. Events come from
// agents, the outside world, people, deadlines and finished effects. The core believes nothing else.
// Each aggregate has its own beside it.
import type { ActionEvent } from "./action/action.ts";
import type { Obligation } from "./effect.ts";
import type { FormulaEvent } from "./formula/formula-event.ts";
import type { GateEvent } from "./gate/gate-event.ts";
import type { MailEvent } from "./mail/mail-event.ts";
import type { QueueEvent } from "./merge-queue/queue-event.ts";
import type { PatrolEvent } from "./patrol/patrol-event.ts";
import type { PluginEvent } from "./plugin/plugin-event.ts";
import type { ProjectEvent } from "./project/project-event.ts";
import type { ReviewEvent } from "./review/review-event.ts";
import type { RunEvent } from "./run/run-event.ts";
import type { ScheduleEvent } from "./schedule/schedule-event.ts";
import type { AskerEvent } from "./task.ts";
import type { VaultEvent } from "./vault/vault-event.ts";

export type FailedEffect = {
  /** What was to be done, so that it can be asked for again. */
  obligation: Obligation;
  code: string;
  message: string;
  hint?: string;
};

/** Facts that any aggregate may be told. */
export type CommonEvent =
  /** A deadline of this aggregate has passed. */
  | { kind: "deadline-passed"; at: number }
  /** The wall clock jumped (a laptop slept): every deadline moves by the gap. */
  | { kind: "clock-jumped"; at: number; gapMs: number }
  | { kind: "effect-failed"; at: number; failed: FailedEffect };

export type Event =
  | ProjectEvent
  | RunEvent
  | QueueEvent
  | MailEvent
  | FormulaEvent
  | ReviewEvent
  | GateEvent
  | VaultEvent
  | CommonEvent
  | PatrolEvent
  | PluginEvent
  | ScheduleEvent
  | ActionEvent
  | AskerEvent;
