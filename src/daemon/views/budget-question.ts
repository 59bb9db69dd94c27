// The question of a project whose budget of the day is spent: agents wait until the next UTC day, or
// until a person allows as much again.
import type { EscalationView } from "../../api/escalations.ts";
import type { WaitView } from "../../api/runs.ts";
import type { Project } from "../../core/project/project.ts";
import { iso } from "./agents.ts";

/** What it is called in `pawl escalation show|answer`. */
export const BUDGET_REF = "budget";
/** The first word of the answer. */
export const BUDGET_ANSWERS = { allow: "allow as much again today" } as const;

const DAY_MS = 24 * 60 * 60_000;

export const budgetQuestions = (project: Project): EscalationView[] =>
  project.closed === undefined
    ? []
    : [
        {
          project: project.name,
          issue: null,
          title: `the budget of ${project.name} is spent`,
          run: null,
          identity: BUDGET_REF,
          reason: budgetText(project.closed),
          // A journal of an earlier version does not say when.
          since: iso(project.closed.at ?? project.closed.until - DAY_MS),
          deadline: iso(project.closed.until),
          phase: null,
          pr: null,
          branch: null,
          alive: false,
          choices: Object.values(BUDGET_ANSWERS),
        },
      ];

export const budgetWaits = ({ name, closed }: Project): WaitView[] =>
  closed === undefined
    ? []
    : [
        {
          project: name,
          about: "budget",
          why: budgetText(closed),
          needs_you: true,
          question: true,
          command: `pawl escalation answer ${BUDGET_REF} "${BUDGET_ANSWERS.allow}"`,
        },
      ];

const budgetText = ({ reason, until }: NonNullable<Project["closed"]>): string =>
  `${reason}; no agent starts until ${iso(until)}, unless you allow as much again or raise [budget] in pawl.toml`;
