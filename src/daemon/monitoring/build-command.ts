// The shell command that works on one step of one story. It is text for a shell, so every word that
// is not ours is quoted.
import { shellWord } from "../../lib/shell-word.ts";
import { parseStoryKey } from "../../core/monitoring/story-key.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Environment } from "./monitor-place.ts";
import { commandOf, MONITORED_AGENTS } from "./monitored-agents.ts";

export const STEPS = ["create", "dev", "auto", "review", "retro"] as const;

const WORK: Record<string, string> = {
  create:
    "Create the story file for story {id}: run the create-story workflow. Write exactly one file {artifacts}/{prefix}-<slug>.md with the sections Story, Acceptance Criteria and Tasks, each with content.",
  dev: "Implement story {id}: run the dev-story workflow on {artifacts}/{prefix}-*.md. Work through every task, write tests, make all tests pass, and commit.",
  auto: "Add the tests that story {id} still lacks: run the test automation workflow for {artifacts}/{prefix}-*.md. Make all tests pass, and commit.",
  review:
    "Review story {id}: run the code-review workflow on {artifacts}/{prefix}-*.md. Fix what is critical or high, record the findings in the story file, and set the status in sprint-status.yaml to done when nothing of that kind is open.",
  retro:
    "Hold the retrospective of epic {epic}: run the retrospective workflow and write {artifacts}/epic-{epic}-retro-<date>.md.",
};

const DEFAULT_EXTRA = "Do not ask questions: decide, and note what you decided.";
export const ARTIFACTS = "_bmad-output/implementation-artifacts";

export type BuildRequest = {
  step: string;
  story: string;
  agent: string | undefined;
  extra: string | undefined;
};

export const agentOf = (env: Environment, agent: string | undefined): string =>
  firstOf(agent, env["AI_AGENT"]) ?? MONITORED_AGENTS[0] ?? "";

export function buildCommand(env: Environment, request: BuildRequest): string {
  const prompt = shellWord(promptFor(request));
  const own = firstOf(env["AI_COMMAND"]);
  if (own !== undefined && firstOf(request.agent, env["AI_AGENT"]) === undefined) {
    return `${own} ${prompt}`;
  }
  const agent = agentOf(env, request.agent);
  const command = commandOf(agent, prompt);
  if (command !== undefined) return command;
  throw new OperationError(`cannot build a command for the agent "${agent}"`, {
    code: "usage",
    hint: `${MONITORED_AGENTS.join(" or ")}, or your own program in AI_COMMAND`,
  });
}

function promptFor({ step, story, extra }: BuildRequest): string {
  const template = Object.hasOwn(WORK, step) ? WORK[step] : undefined;
  if (template === undefined) {
    throw new OperationError(`"${step}" is not a step`, {
      code: "usage",
      hint: `one of: ${STEPS.join(", ")}`,
    });
  }
  const key = parseStoryKey(story);
  const epic = key?.epic ?? story;
  const words = template
    .replaceAll("{id}", key?.id ?? story)
    .replaceAll("{prefix}", key?.prefix ?? story)
    .replaceAll("{epic}", epic)
    .replaceAll("{artifacts}", ARTIFACTS);
  return `${words} ${firstOf(extra) ?? DEFAULT_EXTRA}`;
}

const firstOf = (...texts: (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text.trim() !== "");
