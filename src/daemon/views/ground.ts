// The question about a target on which the project's gate fails, as people see it.
import type { EscalationView } from "../../api/escalations.ts";
import type { WaitView } from "../../api/runs.ts";
import { groundFailure, groundTitle, type FailedProof } from "../../core/project/ground.ts";
import type { Project } from "../../core/project/project.ts";
import { iso } from "./agents.ts";

/** What it is called in `pawl escalation show|answer`. */
export const TARGET_REF = "target";
/** The first word of the answer, and what follows from it. */
export const TARGET_ANSWERS = { check: "check again", start: "start anyway" } as const;

/** How much of the output a status shows; `pawl escalation show target` shows all that is kept. */
const LINES_SHOWN = 8;

export function targetQuestion(project: Project): EscalationView | undefined {
  const failed = groundFailure(project);
  if (failed === undefined) return undefined;
  return {
    project: project.name,
    issue: null,
    title: groundTitle(project, failed.failure),
    run: null,
    identity: TARGET_REF,
    reason: failed.failure.why,
    since: iso(failed.since),
    deadline: null,
    phase: null,
    pr: null,
    branch: project.config?.target ?? null,
    alive: false,
    choices: Object.values(TARGET_ANSWERS),
  };
}

export function targetWaits(project: Project): WaitView[] {
  const failed = groundFailure(project);
  if (failed === undefined) return [];
  return [
    {
      project: project.name,
      about: groundTitle(project, failed.failure),
      why: [...targetLines(failed), FIX].join("\n"),
      needs_you: true,
      command: `pawl escalation answer ${TARGET_REF} "${TARGET_ANSWERS.check}"`,
    },
  ];
}

const FIX =
  "no agent is started. Fix the target or the gate in pawl.toml: work begins by itself when it passes.";

/** Which command failed, the end of its output, and where the rest is. */
export function targetLines({ failure }: FailedProof): string[] {
  const output = failure.logTail.trimEnd();
  const shown = output === "" ? [] : output.split("\n").slice(-LINES_SHOWN);
  return [
    failure.why,
    ...shown.map((line) => `  | ${line}`),
    ...(failure.logFile === undefined ? [] : [`  whole output: ${failure.logFile}`]),
  ];
}
