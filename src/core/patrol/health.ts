// Components over the rounds: 1–2 rounds without a normal answer are noted,
// at 3 and 4 the component is started again, from 5 on it is put before the operator, once. A normal
// answer resets the count.
import type { Context } from "../context.ts";
import { patrolAggregate } from "../ids.ts";
import { writeTo } from "./letters.ts";
import { noted, type Health, type Patrol } from "./patrol.ts";
import type { ComponentFact } from "./patrol-event.ts";
import * as say from "../words/patrol.ts";

const RESTART_FROM = 3;
const ESCALATE_FROM = 5;

export function scanHealth(
  patrol: Patrol,
  { step, facts }: { step: string; facts: ComponentFact[] },
  context: Context,
): Patrol {
  let next = patrol;
  for (const fact of facts) {
    const before = next.health[fact.name];
    next = fact.ok
      ? recovered(next, fact.name, context)
      : unresponsive(next, { step, fact, before }, context);
  }
  return next;
}

/** Writes only where it was not well before: a healthy component costs nothing. */
function recovered(patrol: Patrol, name: string, { at }: Context): Patrol {
  const before = patrol.health[name];
  if (before === undefined || before.unresponsive === 0) return patrol;
  const well: Health = { unresponsive: 0, lastHealthy: at, detail: "" };
  return { ...patrol, health: { ...patrol.health, [name]: well } };
}

function unresponsive(
  patrol: Patrol,
  { step, fact, before }: { step: string; fact: ComponentFact; before: Health | undefined },
  context: Context,
): Patrol {
  const { name, detail } = fact;
  const cycles = (before?.unresponsive ?? 0) + 1;
  // Told once; after that it is only looked at, and costs no further writing.
  if (cycles > ESCALATE_FROM) return patrol;
  const health: Health = { unresponsive: cycles, lastHealthy: before?.lastHealthy, detail };
  const counted = noted({ ...patrol, health: { ...patrol.health, [name]: health } }, step, {
    at: context.at,
    text: `${name}: ${detail} (${cycles})`,
  });
  if (cycles < RESTART_FROM) return counted;
  if (cycles < ESCALATE_FROM) return restart(counted, name, context);
  const letter = {
    subject: say.unresponsive(name, cycles),
    body: say.unresponsiveBody({ cycles, detail, lastHealthy: before?.lastHealthy }),
    priority: "urgent",
  } as const;
  writeTo("operator", { patrol: counted, letter }, context);
  return counted;
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
