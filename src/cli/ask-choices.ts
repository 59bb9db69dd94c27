// Asks what `pawl init` cannot know: which agent, and what must pass. Loaded only where a person
// can answer. Questions go to stderr, because stdout belongs to the result.
import process from "node:process";
import { confirm, select, settings, text } from "@clack/prompts";
import type { Draft } from "../config/detect.ts";
import { foundAgent, type Choices, type RenderedAgent } from "../config/render.ts";
import { OperationError } from "../lib/operation-error.ts";

const TO = { output: process.stderr };

// The library moves the choice by these letters, as an editor does: a person who typed the test command
// into the question, as in "false" or "make all", had chosen that nothing must pass.
for (const letter of ["h", "j", "k", "l"]) settings.aliases.delete(letter);

export async function askChoices(draft: Draft): Promise<Choices> {
  const agent = await askAgent(draft);
  const ci = await askCi(draft);
  return { agent, ...(ci === undefined ? {} : { ci }) };
}

/** Whether a setting of the repository may be changed, which only its administrators may. */
export async function askMerges(repo: string): Promise<boolean> {
  const message = `Manual merge is off in ${repo}, so Gitea would show landed PRs as closed. Switch it on?`;
  return answered(await confirm({ message, ...TO }));
}

const NONE_FOUND = "(No agent program that Pawl knows is on your PATH.)";
const SCRIPT = "the issue's own sh block: commands that you write into the issue";

async function askAgent(draft: Draft): Promise<RenderedAgent> {
  const found = draft.agents.map((name) => ({
    value: name as string,
    label: name,
    hint: "found on your PATH",
  }));
  const picked = answered(
    await select({
      message:
        found.length === 0
          ? `Which agent does the work? ${NONE_FOUND}`
          : "Which agent does the work?",
      options: [
        ...found,
        {
          value: "command",
          label: found.length === 0 ? "a program of your own" : "another program",
          hint: "any program can be an agent",
        },
        { value: "script", label: SCRIPT, hint: "no model; for chores" },
      ],
      // What `--yes` takes.
      ...(found.length === 0 ? { initialValue: "script" } : {}),
      ...TO,
    }),
  );
  if (picked === "script") return { runtime: "script" };
  const known = draft.agents.find((name) => name === picked);
  if (known !== undefined) return foundAgent(known);
  const words = answered(
    await text({
      message: "The program and its arguments, separated by spaces",
      placeholder: "my-agent --work",
      validate: (value) => ((value ?? "").trim() === "" ? "It cannot be empty." : undefined),
      ...TO,
    }),
  );
  return { runtime: "command", command: words.trim().split(/\s+/) };
}

async function askCi(draft: Draft): Promise<Choices["ci"]> {
  const picked = answered(
    await select({
      message: "What must pass before anything lands?",
      options: [
        ...draft.testCommands.map(({ command, from }) => {
          return { value: command, label: command, hint: `from ${from}` };
        }),
        {
          value: OTHER,
          label:
            draft.testCommands.length === 0 ? "a command that you name next" : "another command",
        },
        { value: NONE, label: "nothing", hint: "everything counts as passed" },
      ],
      ...TO,
    }),
  );
  if (picked === NONE) return "none";
  const known = draft.testCommands.find(({ command }) => command === picked);
  if (known !== undefined) return known;
  const command = answered(
    await text({
      message: "The command, run by sh in a clean checkout; exit code 0 means passed",
      placeholder: "npm test",
      validate: (value) => ((value ?? "").trim() === "" ? "It cannot be empty." : undefined),
      ...TO,
    }),
  );
  // The chosen test command also needs the set-up that was detected for the first suggestion.
  const { setup, keep } = draft.testCommands[0] ?? { setup: undefined, keep: [] };
  return { command: command.trim(), setup, keep, from: "your answer" };
}

/** No command contains a newline, so that these cannot be one. */
const OTHER = "\nother";
const NONE = "\nnone";

/** A person who leaves a question answers with a symbol. */
function answered(answer: string | symbol): string;
function answered(answer: boolean | symbol): boolean;
function answered(answer: string | boolean | symbol): string | boolean {
  if (typeof answer !== "symbol") return answer;
  throw new OperationError("nothing was set up: you cancelled the questions", {
    code: "cancelled",
  });
}
