// What opencode asks a person, as questions with choices.
import type { Ask } from "../shared/agent-host/open-questions.ts";
import type { OpencodeEvent } from "./client.ts";

/** What is sent where a choice is made. */
export type Reply = { path: string; body: unknown };

const OWN_JUDGEMENT = "Decide yourself, and say what you assumed";

export function readAsked({ type, properties }: OpencodeEvent): Ask | undefined {
  if (type === "permission.asked") return permission(properties as Permission);
  return type === "question.asked" ? question(properties as Questions) : undefined;
}

type Permission = {
  id: string;
  permission: string;
  patterns: string[];
  metadata: Record<string, unknown>;
};

function permission({ id, permission: what, patterns, metadata }: Permission): Ask {
  const { command } = metadata;
  const on = typeof command === "string" ? command : patterns.join(", ");
  const reply = (body: unknown): Reply => ({ path: `/permission/${id}/reply`, body });
  return {
    id,
    text: `opencode asks for the permission ${what}: ${on}`,
    choices: [
      { words: "Yes, this time", result: reply({ reply: "once" }) },
      { words: "Yes, always", result: reply({ reply: "always" }) },
      { words: "No", result: reply({ reply: "reject" }) },
    ],
  };
}

type Questions = { id: string; questions: { question: string; options: { label: string }[] }[] };

/** Of several questions in one request the first has the choices. */
function question({ id, questions }: Questions): Ask | undefined {
  const [first] = questions;
  if (first === undefined) return undefined;
  const rest = questions.slice(1).map(() => [OWN_JUDGEMENT]);
  return {
    id,
    text: questions.map((one) => one.question).join("\n"),
    choices: [...first.options.map(({ label }) => label), OWN_JUDGEMENT].map((words) => ({
      words,
      result: { path: `/question/${id}/reply`, body: { answers: [[words], ...rest] } },
    })),
  };
}

/** The question that is settled, where this event says so. */
export const settledBy = ({ type, properties }: OpencodeEvent): string | undefined =>
  ["permission.replied", "question.replied", "question.rejected"].includes(type)
    ? String(properties["requestID"])
    : undefined;
