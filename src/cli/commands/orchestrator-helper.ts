// `pawl orchestrator-helper`: the questions of a program that drives the steps of a story (seed
// 003).
// Answers are one line of JSON; "not verified" is an answer, not a failure.
import type { Command } from "@commander-js/extra-typings";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import {
  MONITORED_AGENTS,
  openPlaceFor,
  orchestrating,
  parsing,
  verifying,
} from "../monitoring-door.ts";
import { stateProblem } from "../state-option.ts";
import { addMarker } from "./orchestrator-marker.ts";
import { addState } from "./orchestrator-state.ts";
import { addStories } from "./orchestrator-stories.ts";

const EXAMPLES = `
Examples:
  pawl orchestrator-helper verify-step create 5.3 | jq -r .verified
  pawl orchestrator-helper next-attempt dev 5.3 --fallback codex
  pawl orchestrator-helper parse-output "$output_file" dev
  pawl orchestrator-helper escalate session-crash retries=2

docs/monitoring.md says what each verifier looks at, and when a person is asked.`;

const STATE_FILE = "the orchestration's state document; its policy must be unchanged";

type Context = { deps: () => Deps; finish: Finish };

export const addOrchestratorHelper: AddCommand = (program, context) => {
  const group = program
    .command("orchestrator-helper")
    .description("verify a step, read its output, decide what comes next")
    .addHelpText("after", EXAMPLES) as unknown as Command;
  addSprintStatus(group, context);
  addParseOutput(group, context);
  addMarker(group, context);
  addEscalate(group, context);
  addVerify(group, context);
  addNextAttempt(group, context);
  addState(group, context);
  addStories(group, context);
};

const say = (deps: Deps, answer: unknown): void => deps.stdout(`${JSON.stringify(answer)}\n`);

function addSprintStatus(group: Command, { deps, finish }: Context): void {
  const sprint = group.command("sprint-status").description("what sprint-status.yaml says");
  sprint
    .command("get")
    .argument("<story>")
    .action(async (story) => {
      const at = deps();
      const { root } = await openPlaceFor(at);
      say(at, await (await orchestrating()).sprintStatus(root, story));
    });
  sprint
    .command("exists")
    .argument("<story>")
    .action(async (story) => {
      const at = deps();
      const { root } = await openPlaceFor(at);
      const { found } = await (await orchestrating()).sprintStatus(root, story);
      at.stdout(`${String(found)}\n`);
    });
  sprint
    .command("check-epic")
    .argument("<epic>")
    .action(async (epic) => {
      const at = deps();
      const { root } = await openPlaceFor(at);
      const answer = await (await orchestrating()).epicStatus(root, epic);
      say(at, answer);
      if (answer["ok"] !== true) finish(EXIT.failed);
    });
}

function addParseOutput(group: Command, { deps, finish }: Context): void {
  group
    .command("parse-output")
    .description("let a small model read the end of an output file")
    .argument("<file>")
    .argument("<step>")
    .option("--state-file <file>", STATE_FILE)
    .action(async (file, step, { stateFile }) => {
      const at = deps();
      const problem = await stateProblem(at, stateFile);
      if (problem !== undefined) {
        say(at, { status: "error", reason: "parse_contract_invalid", detail: problem });
        finish(EXIT.failed);
        return;
      }
      const parsed = await (await parsing()).parseOutput(await openPlaceFor(at), { file, step });
      if (parsed.kind === "parsed") {
        say(at, parsed.value);
        return;
      }
      say(at, { status: "error", reason: parsed.reason, detail: parsed.detail });
      finish(EXIT.failed);
    });
}

function addEscalate(group: Command, { deps }: Context): void {
  group
    .command("escalate")
    .description("whether a person must be asked now")
    .argument("[trigger]", "review-loop, session-crash or story-validation", "")
    .argument("[context]", "cycles=N, retries=N or created=N; else the ledger's count", "")
    .option("--step <step>", "whose attempts are counted")
    .option("--story <key>", "whose attempts are counted")
    .option("--state-file <file>", STATE_FILE)
    .action(async (trigger, context, { step, story, stateFile }) => {
      const at = deps();
      const task = step === undefined || story === undefined ? undefined : { step, story };
      say(at, await escalation(at, { trigger, context, task, stateFile }));
    });
}

type Asked = {
  trigger: string;
  context: string;
  task: { step: string; story: string } | undefined;
  stateFile: string | undefined;
};

/** Always an answer: what cannot be decided is for a person, and the caller reads only this line. */
async function escalation(at: Deps, { stateFile, ...asked }: Asked): Promise<unknown> {
  const { trigger } = asked;
  try {
    const problem = await stateProblem(at, stateFile);
    if (problem !== undefined) return { escalate: true, trigger, reason: problem };
    return await (await orchestrating()).shouldEscalate(await openPlaceFor(at), asked);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { escalate: true, trigger, reason: error.message };
  }
}

function addVerify(group: Command, { deps, finish }: Context): void {
  group
    .command("verify-step")
    .description("whether a step did what it was for")
    .argument("<step>", "create, dev, auto, review or retro")
    .argument("<story>", "5.3, 5-3 or 5-3-slug; an epic for retro")
    .option("--state-file <file>", STATE_FILE)
    .option("--output-file <file>", "accepted for compatibility, and ignored")
    .action(async (step, story, { stateFile }) => {
      const at = deps();
      const answer = await verify(at, { step, story, stateFile });
      say(at, answer);
      if (answer.reason === "verifier_contract_invalid") finish(EXIT.failed);
    });
  group
    .command("verify-code-review")
    .description("verify-step review, with exit code 1 if it is not verified")
    .argument("<story>")
    .option("--state-file <file>", STATE_FILE)
    .action(async (story, { stateFile }) => {
      const at = deps();
      const answer = await verify(at, { step: "review", story, stateFile });
      say(at, answer);
      if (!answer.verified) finish(EXIT.failed);
    });
}

async function verify(
  at: Deps,
  { step, story, stateFile }: { step: string; story: string; stateFile: string | undefined },
): Promise<{ verified: boolean; reason?: string } & Record<string, unknown>> {
  const error = await stateProblem(at, stateFile);
  const reason = "verifier_contract_invalid";
  if (error !== undefined) return { verified: false, step, story, reason, error };
  return (await verifying()).verifyStep(await openPlaceFor(at), { step, story });
}

function addNextAttempt(group: Command, { deps }: Context): void {
  group
    .command("next-attempt")
    .description("decide from the ledger: retry, proceed, skip, defer or escalate")
    .argument("<step>")
    .argument("<story>")
    .option("--primary <agent>", "the agent of odd attempts", MONITORED_AGENTS[0] ?? "")
    .option("--fallback <agent>", "the agent of even attempts; false for none")
    .action(async (step, story, { primary, fallback }) => {
      const at = deps();
      const { whatNext } = await orchestrating();
      say(at, await whatNext(await openPlaceFor(at), { step, story }, { primary, fallback }));
    });
}
