// `pawl stop|retry|hold|release REF`: commands that control a run.
import type { RunView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { sayKept } from "../output/say-kept.ts";
import { harmless } from "../output/text.ts";
import { shownRef } from "../output/shown-ref.ts";

type RunCommand = {
  verb: string;
  summary: string;
  done: string;
  /** What only a daemon does, said where none runs. */
  later?: string;
  example: string;
};

function addRunCommand(command: RunCommand): AddCommand {
  return (program, { deps }) => {
    program
      .command(command.verb)
      .description(command.summary)
      .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
      .action((ref) => sendRunCommand(deps(), ref, command))
      .addHelpText("after", `\nExample:\n  ${command.example}`);
  };
}

async function sendRunCommand(deps: Deps, ref: string, command: RunCommand): Promise<void> {
  const path = `/v1/runs/${encodeURIComponent(ref)}/${command.verb}`;
  const run = await deps.client.post<RunView>(path, { by: deps.user });
  const about = `${shownRef(run)} (run ${run.run})`;
  const isLater = command.later !== undefined && !(await deps.client.daemonRuns());
  if (command.verb === "retry" && run.outcome !== null) {
    const when = isLater ? "a daemon runs: `pawl up` or `pawl run`" : "a place is free";
    deps.stderr(`${shownRef(run)} is tried again: a new run begins when ${when}\n`);
    deps.stderr(`\`pawl why ${ref}\` says what it waits for\n`);
    return;
  }
  if (isLater) {
    deps.stderr(`${about} ${command.later}\n`);
    sayKept(deps, run);
    return;
  }
  deps.stderr(`${command.done} ${about}: ${harmless(run.doing)}\n`);
  if (command.verb === "stop") {
    const isLeft = run.alive || run.starting === true;
    const left = isLeft ? "its agent is being ended" : "its agent has ended";
    deps.stderr(`${left}; \`pawl retry ${ref}\` resumes the run\n`);
  }
  sayKept(deps, run);
}

export const addStop = addRunCommand({
  verb: "stop",
  summary: "stop an agent; `pawl retry` starts it again",
  done: "stopped",
  example: "pawl stop 7                its work is saved; `pawl retry 7` resumes it",
});

export const addRetry = addRunCommand({
  verb: "retry",
  summary: "resume a stopped or escalated run, or try a blocked issue again",
  done: "resuming",
  later: "continues as soon as a daemon runs: start one with `pawl up` or `pawl run`",
  example: "pawl retry 7",
});

export const addHold = addRunCommand({
  verb: "hold",
  summary: "stop Pawl from acting on a session while you work in it",
  done: "holding",
  example: "pawl hold 7 && pawl attach 7",
});

export const addRelease = addRunCommand({
  verb: "release",
  summary: "let Pawl manage a held session again",
  done: "released",
  example: "pawl release 7",
});
