// Components over the rounds: 1–2 rounds without a normal answer are noted,
// at 3 and 4 the component is started again, at 5 it is put before the operator, once, and counting
// goes on. A normal answer resets the count.
import type { Context } from "../context.ts";
import { patrolAggregate } from "../ids.ts";
import { writeTo } from "./letters.ts";
import { noted, type Health, type Patrol } from "./patrol.ts";
import type { ComponentFact } from "./patrol-event.ts";
import * as say from "../words/patrol.ts";

const RESTART_FROM = 3;
export const ESCALATE_FROM = 5;

export function scanHealth(
  patrol: Patrol,
  { step, facts, previousAt }: Scan,
  context: Context,
): Patrol {
  let next = patrol;
  for (const fact of facts) {
    const before = next.health[fact.name];
    next = fact.ok
      ? healthy(next, fact.name, context)
      : unresponsive(next, { step, fact, before, previousAt }, context);
  }
  return next;
}

/** `previousAt`: when the round before this one was, where that is known. */
type Scan = { step: string; facts: ComponentFact[]; previousAt?: number | undefined };

/** Writes the first time, and where it was not well before: a healthy component costs nothing. */
function healthy(patrol: Patrol, name: string, { at }: Context): Patrol {
  const before = patrol.health[name];
  if (before !== undefined && before.unresponsive === 0) return patrol;
  const well: Health = { unresponsive: 0, lastHealthy: at, detail: "" };
  return { ...patrol, health: { ...patrol.health, [name]: well } };
}

function unresponsive(
  patrol: Patrol,
  { step, fact, before, previousAt }: Pick<Scan, "step" | "previousAt"> & Seen,
  context: Context,
): Patrol {
  const { name, detail } = fact;
  const cycles = (before?.unresponsive ?? 0) + 1;
  const lastHealthy = lastHealthyOf(before, previousAt);
  const health: Health = { unresponsive: cycles, lastHealthy, detail };
  const counted = noted({ ...patrol, health: { ...patrol.health, [name]: health } }, step, {
    at: context.at,
    text: `${name}: ${detail} (${cycles})`,
  });
  if (cycles < RESTART_FROM) return counted;
  if (cycles < ESCALATE_FROM) return restart(counted, name, context);
  if (cycles > ESCALATE_FROM) return counted;
  const letter = {
    subject: say.unresponsive(name, cycles),
    body: say.unresponsiveBody({ cycles, detail, lastHealthy }),
    priority: "urgent",
  } as const;
  writeTo("operator", { patrol: counted, letter }, context);
  return counted;
}

type Seen = { fact: ComponentFact; before: Health | undefined };

/** A healthy round writes nothing, so that the last one is known by its time alone. */
function lastHealthyOf(
  before: Health | undefined,
  previousAt: number | undefined,
): number | undefined {
  if (before === undefined || before.unresponsive > 0) return before?.lastHealthy;
  return previousAt ?? before.lastHealthy;
}

/** A person wants it started again: what was counted so far is forgotten. */
export function restartByHand(
  patrol: Patrol,
  { component, by }: { component: string; by: string },
  context: Context,
): Patrol {
  const known = patrol.health[component];
  const health =
    known === undefined ? {} : { [component]: { ...known, unresponsive: 0, detail: "" } };
  const { at } = context;
  const counted = { ...patrol, health: { ...patrol.health, ...health } };
  return restart(
    noted(counted, "health-scan", { at, text: `${component} is restarted by ${by}` }),
    component,
    context,
  );
}

export function restart(patrol: Patrol, component: string, { output }: Context): Patrol {
  const aggregate = patrolAggregate(patrol.project, patrol.name);
  const acts = patrol.acts + 1;
  output.effects.push({
    key: `${aggregate}:restart:${acts}`,
    lane: `${aggregate}:restarts`,
    effect: { kind: "restart-component", component },
  });
  return { ...patrol, acts };
}
