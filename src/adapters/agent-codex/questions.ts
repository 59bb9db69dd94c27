// What Codex asks its clients, as questions with choices, and each choice as Codex reads it. What
// needs more than a choice is left to a person at Codex's own screen, who may answer all of them.
import type { Ask } from "../shared/agent-host/open-questions.ts";
import type { Asked, RequestId } from "./protocol.ts";

const DECISIONS: Ask["choices"] = [
  { words: "Yes, this time", result: { decision: "accept" } },
  { words: "Yes, for the rest of this session", result: { decision: "acceptForSession" } },
  { words: "No, go on without it", result: { decision: "decline" } },
  { words: "No, and end the turn", result: { decision: "cancel" } },
];

const OWN_JUDGEMENT = "Decide yourself, and say what you assumed";

/** Undefined where only the screen of Codex can answer. */
export function readAsked(id: RequestId, method: string, params: unknown): Ask | undefined {
  const read = READERS[method as keyof Asked];
  return read?.(id, params as never);
}

const READERS: { [M in keyof Asked]: (id: RequestId, params: Asked[M]) => Ask | undefined } = {
  "item/commandExecution/requestApproval": (id, { command, reason }) => ({
    id,
    text: sentence(`Codex asks to run: ${command ?? "a command"}`, reason),
    choices: DECISIONS,
  }),
  "item/fileChange/requestApproval": (id, { reason, grantRoot }) => ({
    id,
    text: sentence(`Codex asks to change files${grantRoot ? ` below ${grantRoot}` : ""}`, reason),
    choices: DECISIONS,
  }),
  "item/permissions/requestApproval": (id, { reason, permissions }) => ({
    id,
    text: sentence(`Codex asks for permissions: ${JSON.stringify(permissions)}`, reason),
    choices: [
      { words: "Yes, for this turn", result: { permissions, scope: "turn" } },
      {
        words: "Yes, for the rest of this session",
        result: { permissions, scope: "session" },
      },
      { words: "No", result: { permissions: {}, scope: "turn" } },
    ],
  }),
  "item/tool/requestUserInput": (id, { questions }) => {
    const [first] = questions;
    if (first === undefined) return undefined;
    const more = questions.slice(1).map(({ question }) => question);
    const rest = Object.fromEntries(
      questions.slice(1).map((one) => [one.id, { answers: [OWN_JUDGEMENT] }]),
    );
    const labels = (first.options ?? []).map(({ label }) => label);
    return {
      id,
      text: [first.question, ...more].join("\n"),
      choices: [...labels, OWN_JUDGEMENT].map((words) => ({
        words,
        result: { answers: { [first.id]: { answers: [words] }, ...rest } },
      })),
    };
  },
  "mcpServer/elicitation/request": (id, { serverName, message }) => ({
    id,
    text: `${serverName} asks through Codex: ${message}\nTo fill it in, attach to its screen.`,
    choices: [
      { words: "Refuse", result: { action: "decline", content: null, _meta: null } },
      {
        words: "Refuse, and stop asking",
        result: { action: "cancel", content: null, _meta: null },
      },
    ],
  }),
};

const sentence = (text: string, reason: string | null | undefined): string =>
  reason === undefined || reason === null || reason === "" ? text : `${text}\nWhy: ${reason}`;
