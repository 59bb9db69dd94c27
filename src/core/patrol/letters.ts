// How a patrol sends a letter (through the project's mailbox, in the same transaction) and requests
// a look at the outside.
import type { Context } from "../context.ts";
import { mailAggregate, patrolAggregate } from "../ids.ts";
import type { NewLetter } from "../mail/letter.ts";
import type { Patrol } from "./patrol.ts";

export function writeTo(
  to: string,
  {
    patrol,
    letter,
  }: { patrol: Patrol; letter: Pick<NewLetter, "subject" | "body" | "priority" | "key"> },
  { at, output }: Context,
): void {
  const { project, name } = patrol;
  output.tells.push({
    to: mailAggregate(project),
    event: { kind: "mail-sent", at, project, letter: { from: name, to, ...letter } },
  });
}

export function acknowledge(patrol: Patrol, id: string, { at, output }: Context): void {
  output.tells.push({
    to: mailAggregate(patrol.project),
    event: { kind: "mail-acknowledged", at, id, by: patrol.name },
  });
}

/** One look answers all that ask for one. */
export function lookOutside(patrol: Patrol, { output }: Context): Patrol {
  const aggregate = patrolAggregate(patrol.project, patrol.name);
  output.effects.push({
    key: `${aggregate}:look`,
    lane: `${aggregate}:look`,
    effect: { kind: "look-outside" },
  });
  return patrol;
}
