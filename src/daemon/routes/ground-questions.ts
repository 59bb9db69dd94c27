// Routes about the one question that a project asks: its gate fails on the bare target.
import type { Hono } from "hono";
import {
  answerSchema,
  type EscalationView,
  type EscalationWithLogView,
} from "../../api/escalations.ts";
import { projectAggregate } from "../../core/ids.ts";
import { groundFailure } from "../../core/project/ground.ts";
import type { Project } from "../../core/project/project.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { TARGET_ANSWERS, TARGET_REF, targetQuestion } from "../views/target.ts";
import { bodyOf, engineOf, projectFor, type Routes } from "./context.ts";

/** Before the routes that take any reference. */
export function addTargetQuestion(app: Hono, routes: Routes): void {
  app.get(`/v1/escalations/${TARGET_REF}`, async (context) => {
    const project = await projectFor(routes, context);
    const question = mustFail(project);
    const log = groundFailure(project)?.failure.logTail ?? "";
    const view: EscalationWithLogView = { ...question, log };
    return context.json(view);
  });

  app.post(`/v1/escalations/${TARGET_REF}/answer`, async (context) => {
    const project = await projectFor(routes, context);
    mustFail(project);
    const { by, text } = await bodyOf(context, answerSchema);
    const answer = readAnswer(text);
    const event = { kind: "target-answered", at: routes.ports.clock.now(), by, answer } as const;
    await engineOf(routes).loop.submit({ to: projectAggregate(project.name), event });
    return context.json({ project: project.name, answer });
  });
}

function mustFail(project: Project): EscalationView {
  const view = targetQuestion(project);
  if (view !== undefined) return view;
  throw new OperationError(
    `the gate is not known to fail on the target of ${project.name}: there is nothing to answer`,
    { code: "no-escalation", hint: "see `pawl status` for what waits for a person" },
  );
}

/** The first word decides, as with gates. */
function readAnswer(text: string): "check" | "start" {
  const word = /^\w+/.exec(text.trim().toLowerCase())?.[0];
  if (word === "check" || word === "start") return word;
  throw new OperationError(`"${text}" is no answer about the target`, {
    code: "usage",
    hint: `answer one of: ${Object.values(TARGET_ANSWERS).join(", ")}`,
  });
}
