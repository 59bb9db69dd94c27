// What the deacon does with letters to it, by their subject: pings are answered by being read.
// Calls for help and letters with an unknown subject go on to the operator (or first to a model, if
// configured). Reports of agents lead to a look outside, and triggers reach the plugins that wait
// for them.
import type { Context } from "../context.ts";
import { patrolAggregate, pluginAggregate } from "../ids.ts";
import { acknowledge, lookOutside, writeTo } from "./letters.ts";
import { noted, type Patrol } from "./patrol.ts";
import type { InboxFact } from "./patrol-event.ts";
import { askModel, type TriageRules } from "./triage.ts";
import * as say from "../words/patrol.ts";

export type Reaction =
  | { kind: "ping" }
  | { kind: "help" }
  | { kind: "lifecycle" }
  | { kind: "trigger"; name: string }
  | { kind: "unknown" };

export function reactionTo(subject: string): Reaction {
  const word = subject.trim();
  if (/^WITNESS_PING\b/.test(word)) return { kind: "ping" };
  if (/^(HELP|ESCALATION)\b/.test(word)) return { kind: "help" };
  if (/^LIFECYCLE\b/.test(word)) return { kind: "lifecycle" };
  const trigger = /^TRIGGER:?\s+([a-zA-Z0-9._-]{1,100})$/.exec(word);
  return trigger?.[1] === undefined ? { kind: "unknown" } : { kind: "trigger", name: trigger[1] };
}

export function checkInbox(
  patrol: Patrol,
  { inbox, triage }: { inbox: InboxFact[]; triage?: TriageRules },
  context: Context,
): Patrol {
  let next = patrol;
  for (const letter of inbox) {
    acknowledge(next, letter.id, context);
    next = noted(react(next, { letter, rules: triage }, context), "inbox-check", {
      at: context.at,
      text: `mail ${letter.id} from ${letter.from}: ${letter.subject}`,
    });
  }
  return next;
}

function react(
  patrol: Patrol,
  { letter, rules }: { letter: InboxFact; rules: TriageRules | undefined },
  context: Context,
): Patrol {
  const reaction = reactionTo(letter.subject);
  switch (reaction.kind) {
    case "ping":
      return patrol;
    case "lifecycle":
      return lookOutside(patrol, context);
    case "trigger":
      trigger(patrol, { on: reaction.name, by: letter.from }, context);
      return patrol;
    case "help":
    case "unknown": {
      const help = reaction.kind === "help";
      const asked = askModel(patrol, { letter, help, rules }, context);
      return asked ?? forward(patrol, { letter, help }, context);
    }
  }
}

function forward(
  patrol: Patrol,
  { letter, help }: { letter: InboxFact; help: boolean },
  context: Context,
): Patrol {
  const { subject } = letter;
  const priority = help && letter.priority !== "urgent" ? "high" : letter.priority;
  const body = say.forwarded(letter);
  // Two rounds at once may see the same letter.
  const key = `${patrolAggregate(patrol.project, patrol.name)}:forward:${letter.id}`;
  writeTo("operator", { patrol, letter: { subject, body, priority, key } }, context);
  return patrol;
}

/** Plugins that wait for this event run as soon as they may. */
function trigger(
  { project }: Patrol,
  { on, by }: { on: string; by: string },
  { at, output }: Context,
): void {
  const event = { kind: "plugin-event", at, project, on, by } as const;
  output.tells.push({ to: pluginAggregate(project), event });
}
