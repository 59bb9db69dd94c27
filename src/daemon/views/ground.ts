// The questions of a project in which no agent can succeed, as people see them: its gate fails on the
// bare target, or new workspaces cannot be set up.
import type { EscalationView } from "../../api/escalations.ts";
import type { WaitView } from "../../api/runs.ts";
import {
  groundFailure,
  groundFailures,
  groundTitle,
  type GroundFailure,
} from "../../core/project/ground.ts";
import type { Project } from "../../core/project/project.ts";
import { provenBy } from "../../core/target-proof.ts";
import { iso } from "./agents.ts";

/** What it is called in `pawl escalation show|answer`. */
export const TARGET_REF = "target";
export const SET_UP_REF = "set-up";
/** The first word of the answer, and what follows from it. */
export const TARGET_ANSWERS = { check: "check again", start: "start anyway" } as const;
export const SET_UP_ANSWERS = { try: "try again" } as const;

const isSetUp = ({ failure }: GroundFailure): boolean => failure.kind === "set-up";

/** How much of the output a status shows; `pawl escalation show target` shows all that is kept. */
const LINES_SHOWN = 8;

export const groundQuestions = (project: Project): EscalationView[] =>
  groundFailures(project).map((failed) => ({
    project: project.name,
    issue: null,
    title: groundTitle(project, failed.failure),
    run: null,
    identity: isSetUp(failed) ? SET_UP_REF : TARGET_REF,
    reason: failed.failure.why,
    since: iso(failed.since),
    deadline: null,
    phase: null,
    pr: null,
    branch: isSetUp(failed) ? null : (project.config?.target ?? null),
    alive: false,
    choices: Object.values(isSetUp(failed) ? SET_UP_ANSWERS : TARGET_ANSWERS),
  }));

/** The end of the output that such a question is about. */
export const groundLog = (project: Project, ref: string): string =>
  groundFailures(project).find((failed) => isSetUp(failed) === (ref === SET_UP_REF))?.failure
    .logTail ?? "";

export const groundWaits = (project: Project): WaitView[] =>
  groundFailures(project).map((failed) => ({
    project: project.name,
    about: groundTitle(project, failed.failure),
    why: [...groundLines(failed), `no agent starts. ${fixOf(failed)}`].join("\n"),
    needs_you: true,
    question: true,
    command: againOf(failed),
  }));

/** What a person can do about it, for those that have said already that no agent starts. */
export const groundHelp = (failed: GroundFailure): string[] => [
  fixOf(failed),
  `to try it at once: ${againOf(failed)}`,
];

const againOf = (failed: GroundFailure): string =>
  isSetUp(failed)
    ? `pawl escalation answer ${SET_UP_REF} "${SET_UP_ANSWERS.try}"`
    : `pawl escalation answer ${TARGET_REF} "${TARGET_ANSWERS.check}"`;

/** Agents start although no verdict says that they can succeed: that is said, and waits for no one. */
export const openTarget = ({ name, proof, config }: Project): WaitView[] =>
  proof?.kind !== "open" || config === undefined
    ? []
    : [
        {
          project: name,
          about: `${config.target} on the CI server`,
          why: `${openText(proof)}; agents start anyway, and Pawl asks the CI server again before it starts more`,
          needs_you: false,
          command: null,
        },
      ];

const openText = ({ why }: { why: string }): string => `no verdict yet: ${why}`;

/** What happens before the first agent starts; null where nothing does. */
export function firstStep(project: Project): string | null {
  const { config, proof } = project;
  if (config === undefined || groundFailure(project) !== undefined) return null;
  const { target, ci } = config;
  if (proof?.kind === "green") return null;
  switch (provenBy(ci)) {
    case "gates": {
      const gates = ci.gates.map(({ command }) => command).join(", ");
      return `the gate runs on the bare ${target}: ${gates}; if it fails, no agent starts`;
    }
    case "server": {
      const known = proof?.kind === "open" ? ` (${openText(proof)})` : "";
      return `Pawl reads the CI server's verdict on ${target}${known}; if it is red, no agent starts; if there is none, agents start`;
    }
    case undefined:
      return null;
  }
}

const fixOf = (failed: GroundFailure): string =>
  isSetUp(failed)
    ? "Fix [workspace] in pawl.toml or what it needs: Pawl tries the set-up again by itself."
    : "Fix the target or the gate in pawl.toml: work starts by itself when the gate passes.";

/** Which command failed, the end of its output, and where the rest is. */
export function groundLines({ failure }: GroundFailure): string[] {
  const output = failure.logTail.trimEnd();
  const lines = output === "" ? [] : output.split("\n");
  const shown = lines.slice(-LINES_SHOWN);
  const isCut = lines.length > shown.length && failure.kind === "set-up";
  return [
    failure.why,
    ...shown.map((line) => `  | ${line}`),
    ...(isCut ? [`  more of it: pawl escalation show ${SET_UP_REF}`] : []),
    ...(failure.logFile === undefined ? [] : [`  whole output: ${failure.logFile}`]),
  ];
}
