// Routes about the questions that a project asks: its gate fails on the bare target, new workspaces
// cannot be set up, or its budget of the day is spent.
import type { Hono } from "hono";
import {
  answerSchema,
  type EscalationView,
  type EscalationWithLogView,
} from "../../api/escalations.ts";
import type { ProjectEvent } from "../../core/project/project-event.ts";
import { projectAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { BUDGET_ANSWERS, BUDGET_REF, budgetQuestions } from "../views/budget-question.ts";
import {
  groundLog,
  groundQuestions,
  SET_UP_ANSWERS,
  SET_UP_REF,
  TARGET_ANSWERS,
  TARGET_REF,
} from "../views/ground.ts";
import { bodyOf, engineOf, projectFor, type Request, type Routes } from "./context.ts";

type Question = {
  ref: string;
  answers: Readonly<Record<string, string>>;
  /** Why there may be nothing to answer. */
  else: string;
  /** The end of the output that it is about. */
  logOf: (project: Project) => string;
  eventOf: (word: string, said: { at: number; by: string }) => ProjectEvent;
};

const QUESTIONS: Question[] = [
  {
    ref: TARGET_REF,
    answers: TARGET_ANSWERS,
    else: "the gate is not known to fail on its target",
    logOf: (project) => groundLog(project, TARGET_REF),
    eventOf: (word, said) => ({
      kind: "target-answered",
      ...said,
      answer: word === "start" ? "start" : "check",
    }),
  },
  {
    ref: SET_UP_REF,
    answers: SET_UP_ANSWERS,
    else: "no set-up is known to fail",
    logOf: (project) => groundLog(project, SET_UP_REF),
    eventOf: (_word, said) => ({ kind: "set-up-answered", ...said }),
  },
  {
    ref: BUDGET_REF,
    answers: BUDGET_ANSWERS,
    else: "no budget of the day is spent",
    logOf: () => "",
    eventOf: (_word, said) => ({ kind: "budget-allowed", ...said }),
  },
];

export const projectQuestions = (project: Project): EscalationView[] => [
  ...groundQuestions(project),
  ...budgetQuestions(project),
];

/** Before the routes that take any reference. */
export function addProjectQuestions(app: Hono, routes: Routes): void {
  for (const question of QUESTIONS) {
    app.get(`/v1/escalations/${question.ref}`, async (context) => {
      const { project, view } = await mustFail(routes, context, question);
      const withLog: EscalationWithLogView = { ...view, log: question.logOf(project) };
      return context.json(withLog);
    });

    app.post(`/v1/escalations/${question.ref}/answer`, async (context) => {
      const { project } = await mustFail(routes, context, question);
      const { by, text } = await bodyOf(context, answerSchema);
      const answer = readAnswer(text, question);
      const event = question.eventOf(answer, { at: routes.ports.clock.now(), by });
      await engineOf(routes).loop.submit({ to: projectAggregate(project.name), event });
      return context.json({ project: project.name, answer });
    });
  }
}

async function mustFail(routes: Routes, context: Request, { ref, else: why }: Question) {
  const project = await projectFor(routes, context);
  const view = projectQuestions(project).find(({ identity }) => identity === ref);
  if (view !== undefined) return { project, view };
  throw new OperationError(`in project ${project.name} ${why}: there is nothing to answer`, {
    code: "no-escalation",
    hint: "see `pawl status` for what waits for a person",
  });
}

/** The first word decides, as with gates. */
function readAnswer(text: string, { ref, answers }: Question): string {
  const word = /^\w+/.exec(text.trim().toLowerCase())?.[0] ?? "";
  if (Object.hasOwn(answers, word)) return word;
  throw new OperationError(`"${text}" is not an answer to ${ref}`, {
    code: "usage",
    hint: `answer one of: ${Object.values(answers).join(", ")}`,
  });
}
