// Routes about escalations: what waits for a person, and the answer.
import type { Hono } from "hono";
import {
  answerSchema,
  type EscalationView,
  type EscalationWithLogView,
} from "../../api/escalations.ts";
import { choiceOf } from "../../core/run/choice.ts";
import type { Run } from "../../core/run/run.ts";
import { issueOf, titleOf } from "../../core/run/work.ts";
import { isLive } from "../../core/session/session.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { iso } from "../views/agents.ts";
import { runView } from "../views/runs.ts";
import { aggregateOf, bodyOf, engineOf, runFor, runs, scopeOf, type Routes } from "./context.ts";

const LOG_MAX_BYTES = 8000;

export function addEscalations(app: Hono, routes: Routes): void {
  const { ports, paths } = routes;

  app.get("/v1/escalations", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const wanted = (await runs(routes)).filter((run) => isWanted(run.project));
    return context.json(wanted.flatMap((run) => escalationView(run) ?? []));
  });

  app.get("/v1/escalations/:ref", async (context) => {
    const run = await runFor(routes, context);
    const logFile = paths.paneLog(run.project, run.id);
    const log = await ports.sessionFiles.logTail({ logFile, maxBytes: LOG_MAX_BYTES });
    const view: EscalationWithLogView = { ...mustAsk(run), log };
    return context.json(view);
  });

  app.post("/v1/runs/:ref/answer", async (context) => {
    const run = await runFor(routes, context);
    mustAsk(run);
    const body = await bodyOf(context, answerSchema);
    mustFit(run, body.text);
    const event = { kind: "escalation-answered", at: ports.clock.now(), ...body } as const;
    await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
    const stored = await routes.store.load(aggregateOf(run));
    const current = stored?.state.kind === "run" ? stored.state : run;
    return context.json(runView(current, { paths, now: ports.clock.now() }));
  });
}

function mustAsk(run: Run): EscalationView {
  const view = escalationView(run);
  if (view !== undefined) return view;
  throw new OperationError(`run ${run.id} asks nothing: there is no escalation to answer`, {
    code: "no-escalation",
    hint: "see `pawl status` for what waits for a person",
  });
}

/** An answer that is none of the choices would leave the agent waiting: it is refused instead. */
function mustFit(run: Run, text: string): void {
  const question = run.stage.kind === "escalated" ? run.stage.escalation.question : undefined;
  if (question === undefined || choiceOf(question, text) !== undefined) return;
  const choices = question.choices.map((choice, index) => `${index + 1}) ${choice}`).join(", ");
  throw new OperationError(`"${text}" is none of the choices of run ${run.id}`, {
    code: "usage",
    hint: `answer with a number or a text: ${choices}`,
  });
}

function escalationView(run: Run): EscalationView | undefined {
  if (run.stage.kind !== "escalated") return undefined;
  const { reason, since, deadline, question } = run.stage.escalation;
  return {
    project: run.project,
    issue: issueOf(run) ?? null,
    title: titleOf(run),
    run: run.id,
    identity: run.identity,
    reason,
    since: iso(since),
    deadline: iso(deadline),
    phase: run.phase?.phase ?? null,
    pr: run.pr ?? null,
    branch: run.branch,
    alive: isLive(run.session),
    choices: question?.choices ?? [],
  };
}
