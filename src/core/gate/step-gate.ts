// The step of a gate: looks at what it waits for, closes when the condition holds, wakes its
// waiters.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { gateAggregate, mailAggregate, vaultAggregate } from "../ids.ts";
import { addressOf, OPERATOR } from "../mail/address.ts";
import { gateNotForMail, gateOverdue, gatePassed, gateWaits } from "../words/formula.ts";
import { isObserved, isOpen, takesAnyText, type Gate, type Waiter } from "./gate.ts";
import type { GateEvent } from "./gate-event.ts";

const LOOK_MS = 30_000;
const LOOK_MAX_MS = 5 * 60_000;
/** So many looks come soon after each other; what has not come by then takes longer. */
const SOON = 10;
const HOUR_MS = 3_600_000;
/** As for every escalation. */
const REMIND_MS = 6 * HOUR_MS;
const PUT_OFF_MS = 24 * HOUR_MS;

export function stepGate(gate: Gate | undefined, event: Event, output: Output): Gate | undefined {
  const context = { at: event.at, output };
  if (event.kind === "gate-requested") return request(gate, event, context);
  if (gate === undefined || !isOpen(gate)) return gate;
  switch (event.kind) {
    case "gate-observed":
      return observed(gate, event, context);
    case "gate-told":
      return told(gate, event, context);
    case "gate-closed":
      return close(gate, event, context);
    case "gate-put-off":
      return putOff(gate, event);
    case "gate-withdrawn":
      return event.key === gate.key ? withdrawn(gate, event, context) : gate;
    case "deadline-passed":
      return due(gate, context);
    case "clock-jumped":
      return shifted(gate, event.gapMs);
    case "effect-failed":
      if (event.failed.obligation.effect.kind !== "look-at-gate") return gate;
      return { ...gate, seen: event.failed.message, lookAt: event.at + waitMs(gate) };
    default:
      return gate;
  }
}

/** A letter closes only a gate that waits for one: it cannot answer for a person or the vault. */
function told(gate: Gate, event: EventOf<"gate-told">, context: Context): Gate {
  const { by, via, met, text } = event;
  if (via === gate.spec.kind) return close(gate, { by, met, reason: text }, context);
  const to = addressOf(by)?.kind === "identity" ? by : OPERATOR;
  const letter = { from: OPERATOR, to, ...gateNotForMail(gate), priority: "normal" } as const;
  const { project, at } = { ...gate, ...context };
  context.output.tells.push({
    to: mailAggregate(project),
    event: { kind: "mail-sent", at, project, letter },
  });
  return gate;
}

/** The next instant at which something about it is due. */
export function gateDeadline(gate: Gate): number | undefined {
  if (!isOpen(gate)) return undefined;
  const { dueAt, lookAt, escalateAt, overdue, remindAt } = gate;
  const times = [dueAt, lookAt, overdue ? remindAt : escalateAt];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

type EventOf<K extends GateEvent["kind"]> = Extract<GateEvent, { kind: K }>;

/** A closed gate may be requested again under another key: it opens again. */
function request(
  before: Gate | undefined,
  event: EventOf<"gate-requested">,
  context: Context,
): Gate {
  if (before !== undefined && (isOpen(before) || before.key === event.key)) return before;
  const { project, id, key, spec, title, by, waiters, escalateMs, at } = event;
  const gate: Gate = {
    kind: "gate",
    project,
    id,
    key,
    spec,
    title,
    by,
    openedAt: at,
    waiters,
    escalateAt: escalateMs === undefined ? undefined : at + escalateMs,
    ...(escalateMs === undefined ? {} : { escalateMs }),
    overdue: false,
    dueAt: spec.kind === "timer" ? at + spec.durationMs : undefined,
    looks: before?.looks ?? 0,
    lookAt: undefined,
    seen: "",
    closed: undefined,
  };
  if (spec.kind === "human")
    tellPeople(
      gate,
      {
        ...gateWaits({ ...gate, anyText: takesAnyText(gate) }),
        about: "open",
        severity: "warning",
      },
      context,
    );
  if (spec.kind === "vault") {
    context.output.tells.push({
      to: vaultAggregate(project, spec.item),
      event: {
        kind: "vault-awaited",
        at,
        project,
        item: spec.item,
        gate: gateAggregate(project, id),
      },
    });
  }
  return isObserved(spec) ? look(gate, context) : gate;
}

function look(gate: Gate, { output }: Context): Gate {
  const aggregate = gateAggregate(gate.project, gate.id);
  const looks = gate.looks + 1;
  output.effects.push({
    key: `${aggregate}:look:${looks}`,
    lane: `${aggregate}:look`,
    effect: { kind: "look-at-gate", gate: gate.id, look: looks, spec: gate.spec },
  });
  return { ...gate, looks, lookAt: undefined };
}

/** A look that another one has overtaken still says what was true. */
function observed(gate: Gate, event: EventOf<"gate-observed">, context: Context): Gate {
  const { met, over, text } = event;
  if (met || over) return close(gate, { by: "pawl", met, reason: text }, context);
  if (event.look !== gate.looks) return { ...gate, seen: text };
  return { ...gate, seen: text, lookAt: event.at + waitMs(gate) };
}

function waitMs({ spec, looks }: Gate): number {
  if (spec.kind === "command") return spec.everyMs;
  return looks <= SOON ? LOOK_MS : LOOK_MAX_MS;
}

function due(gate: Gate, context: Context): Gate {
  const { at } = context;
  if (gate.dueAt !== undefined && gate.dueAt <= at) {
    return close(
      gate,
      { by: "pawl", met: true, reason: "the time it waited for was reached" },
      context,
    );
  }
  const next = asked(gate, context);
  return next.lookAt !== undefined && next.lookAt <= at ? look(next, context) : next;
}

/** An escalation: a person is told at once and reminded once, and the gate stays open meanwhile. */
function asked(gate: Gate, context: Context): Gate {
  const { at } = context;
  const { overdue, escalateAt, remindAt, ...rest } = gate;
  if (!overdue && escalateAt !== undefined && escalateAt <= at) {
    const about = `overdue:${escalateAt}`;
    tellPeople(gate, { ...gateOverdue(gate), about, severity: "urgent" }, context);
    return { ...gate, overdue: true, remindAt: at + REMIND_MS };
  }
  if (!overdue || remindAt === undefined || remindAt > at) return gate;
  const about = `reminder:${remindAt}`;
  tellPeople(gate, { ...gateOverdue(gate), about, severity: "warning" }, context);
  return { ...rest, overdue, escalateAt };
}

/** Asked again after as long as it was given at first; a question is asked again, too. */
function putOff({ remindAt: _remindAt, ...gate }: Gate, { at }: EventOf<"gate-put-off">): Gate {
  return { ...gate, overdue: false, escalateAt: at + (gate.escalateMs ?? PUT_OFF_MS) };
}

type Ending = { by: string; met: boolean; reason: string };

/** The waiters are told in the same transaction: no crash can come between. */
function close(gate: Gate, ending: Ending, context: Context): Gate {
  for (const waiter of gate.waiters) wake(gate, { waiter, ending }, context);
  return ended(gate, ending, context);
}

/** There are no waiters left to tell. */
const withdrawn = (gate: Gate, event: EventOf<"gate-withdrawn">, context: Context): Gate =>
  ended(gate, { by: "pawl", met: false, reason: event.why }, context);

function ended(gate: Gate, { by, met, reason }: Ending, { at, output }: Context): Gate {
  const aggregate = gateAggregate(gate.project, gate.id);
  if (isObserved(gate.spec) && gate.lookAt === undefined) {
    output.cancelled.push(`${aggregate}:look:${gate.looks}`);
  }
  if (gate.spec.kind === "command") {
    output.effects.push({
      key: `${aggregate}:clear:${gate.looks}`,
      lane: `${aggregate}:look`,
      effect: { kind: "clear-gate", gate: gate.id },
    });
  }
  return { ...gate, lookAt: undefined, closed: { at, by, met, reason } };
}

function wake(gate: Gate, news: { waiter: Waiter; ending: Ending }, { at, output }: Context): void {
  const { waiter, ending } = news;
  const { project, id } = gate;
  const aggregate = gateAggregate(project, id);
  if (waiter.kind === "step") {
    const { formula, key } = waiter;
    const { met, reason } = ending;
    const event = { kind: "gate-passed", at, gate: aggregate, key, met, reason } as const;
    output.tells.push({ to: formula, event });
    return;
  }
  output.tells.push({
    to: mailAggregate(project),
    event: {
      kind: "mail-sent",
      at,
      project,
      letter: {
        from: "operator",
        to: waiter.identity,
        ...gatePassed(gate, ending),
        priority: "normal",
        key: `${aggregate}:${gate.openedAt}:${waiter.identity}`,
      },
    },
  });
}

function tellPeople(
  gate: Gate,
  news: { title: string; body: string; about: string; severity: "warning" | "urgent" },
  { output }: Context,
): void {
  const aggregate = gateAggregate(gate.project, gate.id);
  const { title, body, about, severity } = news;
  output.effects.push({
    key: `${aggregate}:${gate.openedAt}:${about}`,
    lane: `${aggregate}:notify`,
    effect: { kind: "notify", severity, title, body },
  });
}

function shifted(gate: Gate, gapMs: number): Gate {
  const later = (time: number | undefined): number | undefined =>
    time === undefined ? undefined : time + gapMs;
  const { remindAt } = gate;
  return {
    ...gate,
    lookAt: later(gate.lookAt),
    escalateAt: later(gate.escalateAt),
    ...(remindAt === undefined ? {} : { remindAt: remindAt + gapMs }),
  };
}
