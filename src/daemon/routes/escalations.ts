// Routes about escalations: what waits for a person, and the answer.
import type { Hono } from "hono";
import {
  answerSchema,
  type EscalationView,
  type EscalationWithLogView,
} from "../../api/escalations.ts";
import { GATE_CHOICES, readGateAnswer } from "../../core/gate/answer.ts";
import { isOpen, takesAnyText, type Gate } from "../../core/gate/gate.ts";
import type { GateEvent } from "../../core/gate/gate-event.ts";
import { gateAggregate } from "../../core/ids.ts";
import { choiceOf, dialogOf } from "../../core/run/escalate.ts";
import { issueOf, refOf, titleOf, type Run } from "../../core/run/run.ts";
import { isStarted, isStarting } from "../../core/session/session.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import { iso } from "../views/agents.ts";
import { livingRuns } from "../views/find-runs.ts";
import { keptRuns } from "../views/kept-workspaces.ts";
import { gateQuestion, gateView } from "../views/gates.ts";
import { causeClause, isSettledByRetry, runView } from "../views/runs.ts";
import { settledByCommand } from "../views/settled-by-command.ts";
import { addProjectQuestions, projectQuestions } from "./project-questions.ts";
import {
  aggregateOf,
  bodyOf,
  engineOf,
  projectFor,
  projects,
  runFor,
  scopeOf,
  type Request,
  type Routes,
} from "./context.ts";
import { keptBy } from "./kept-by.ts";
import { page } from "./paging.ts";
import { terminalOf } from "./terminal-of.ts";

const LOG_MAX_BYTES = 8000;

export function addEscalations(app: Hono, routes: Routes): void {
  addProjectQuestions(app, routes);
  const { ports, paths } = routes;

  app.get("/v1/escalations", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const wanted = (await livingRuns(routes.store)).filter((run) => isWanted(run.project));
    const gates = (await routes.store.aggregates({ kind: "gate" })).flatMap(({ state }) =>
      state.kind === "gate" && isWanted(state.project) ? (gateQuestion(state) ?? []) : [],
    );
    const known = (await projects(routes)).filter(({ name }) => isWanted(name));
    const grounds = known.flatMap(projectQuestions);
    const asked = (await Promise.all(wanted.map((run) => withCause(routes, run)))).flat();
    const kept = await keptRuns(routes.store, known, { paths });
    const others = settledByCommand({ projects: known, kept });
    const rows = [...grounds, ...asked, ...gates, ...others];
    return page(context, rows, ({ project, identity }) => `${project}/${identity}`);
  });

  app.get("/v1/escalations/gate/:id", async (context) => {
    const view: EscalationWithLogView = { ...mustWait(await gateFor(routes, context)), log: "" };
    return context.json(view);
  });

  app.post("/v1/escalations/gate/:id/answer", async (context) => {
    const gate = await gateFor(routes, context);
    mustWait(gate);
    const { by, text } = await bodyOf(context, answerSchema);
    const to = gateAggregate(gate.project, gate.id);
    const event = eventFor(gate, { by, text, at: ports.clock.now() });
    await engineOf(routes).loop.submit({ to, event });
    const stored = (await routes.store.load(to))?.state;
    return context.json(gateView(stored?.kind === "gate" ? stored : gate));
  });

  app.get("/v1/escalations/:ref", async (context) => {
    const other = await otherFor(routes, context);
    if (other !== undefined) return context.json({ ...other, log: "" });
    const run = await runFor(routes, context);
    const logFile = paths.paneLog(run.project, run.id);
    const request = { logFile, maxBytes: LOG_MAX_BYTES, size: TERMINAL_SIZE };
    const log = await ports.sessionFiles.terminalLog(request);
    const view: EscalationWithLogView = { ...mustAsk(run), log };
    return context.json(view);
  });

  addAnswer(app, routes);
}

function addAnswer(app: Hono, routes: Routes): void {
  const { ports, paths } = routes;

  app.post("/v1/runs/:ref/answer", async (context) => {
    const run = await runFor(routes, context);
    mustAsk(run);
    const { since, ...said } = await bodyOf(context, answerSchema);
    const read = since === undefined ? {} : { since: Date.parse(since) };
    mustBeOpen(run, read);
    mustFit(run, said.text);
    const event = { kind: "escalation-answered", at: ports.clock.now(), ...said, ...read } as const;
    await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
    const stored = await routes.store.load(aggregateOf(run));
    const current = stored?.state.kind === "run" ? stored.state : run;
    const view = runView(current, { paths, now: ports.clock.now() });
    return context.json({ ...view, kept_settings: await keptBy(routes, current) });
  });
}

/** By its identity or its issue, as the list shows it. */
async function otherFor(routes: Routes, context: Request): Promise<EscalationView | undefined> {
  const project = await projectFor(routes, context);
  const kept = await keptRuns(routes.store, [project], { paths: routes.paths });
  const ref = (context.req.param("ref") ?? "").replace(/^#/, "");
  const names = (one: EscalationView): string[] => [one.identity, String(one.issue ?? "")];
  return settledByCommand({ projects: [project], kept }).find((one) => names(one).includes(ref));
}

async function gateFor(routes: Routes, context: Request): Promise<Gate> {
  const { name } = await projectFor(routes, context);
  const id = context.req.param("id") ?? "";
  const stored = (await routes.store.load(gateAggregate(name, id)))?.state;
  if (stored?.kind === "gate") return stored;
  throw new OperationError(`there is no gate "${id}" in project ${name}`, {
    code: "not-found",
    hint: "see `pawl escalation list` and `pawl gate list`",
  });
}

function mustWait(gate: Gate): EscalationView {
  const view = gateQuestion(gate);
  if (view !== undefined) return view;
  const how = isOpen(gate) ? "does not wait for you" : "is closed";
  throw new OperationError(`gate ${gate.id} ${how}: there is nothing to answer`, {
    code: "no-escalation",
    hint: "`pawl gate list` says what it waits for; `pawl gate close` closes it anyway",
  });
}

function eventFor(gate: Gate, said: { by: string; text: string; at: number }): GateEvent {
  const { by, at } = said;
  if (takesAnyText(gate)) return { kind: "gate-closed", at, by, met: true, reason: said.text };
  const answer = readGateAnswer(said.text);
  if (answer === undefined) {
    throw new OperationError(`"${said.text}" is not an answer to gate ${gate.id}`, {
      code: "usage",
      hint: `its first word is one of: ${GATE_CHOICES.join(", ")}; what follows is kept as the reason`,
    });
  }
  if (answer.kind === "wait") return { kind: "gate-put-off", at, by };
  return { kind: "gate-closed", at, by, met: answer.kind === "close", reason: answer.reason };
}

function mustAsk(run: Run): EscalationView {
  const view = escalationView(run);
  if (view !== undefined) return view;
  throw new OperationError(`run ${run.id} asks nothing: there is no escalation to answer`, {
    code: "no-escalation",
    hint: "see `pawl status` for what waits for a person",
  });
}

/** It may be something that the person has not read: "yes" would permit it. */
function mustBeOpen(run: Run, { since }: { since?: number }): void {
  if (run.stage.kind !== "escalated" || since === undefined) return;
  if (run.stage.escalation.since === since) return;
  throw new OperationError(`run ${run.id} asks something else now: your answer was not passed on`, {
    code: "no-escalation",
    hint: `\`pawl escalation show ${refOf(run)}\` shows what it asks now`,
  });
}

/** An answer that is none of the choices would leave the agent waiting: it is refused instead. */
function mustFit(run: Run, text: string): void {
  const question = dialogOf(run);
  if (question === undefined || choiceOf(question, text) !== undefined) return;
  throw new OperationError(`"${text}" is not one of the choices of run ${run.id}`, {
    code: "usage",
    hint: `answer with a number or with the words of a choice: ${numbered(question.choices)}`,
  });
}

/** "Try again" is none of several choices either; an only choice is what it means. */
export function mustNotChoose(run: Run): void {
  const choices = dialogOf(run)?.choices ?? [];
  if (choices.length < 2) return;
  throw new OperationError(`cannot retry run ${run.id}: its agent waits for one of its choices`, {
    code: "usage",
    hint: `answer with \`pawl escalation answer ${refOf(run)} …\`: ${numbered(choices)}`,
  });
}

const numbered = (choices: string[]): string =>
  choices.map((choice, index) => `${index + 1}) ${choice}`).join(", ");

/** Of an agent that crashes at every start, with what its terminal said. */
async function withCause(routes: Routes, run: Run): Promise<EscalationView[]> {
  const view = escalationView(run);
  if (view === undefined) return [];
  return [{ ...view, reason: `${view.reason}${await causeClause(run, terminalOf(routes))}` }];
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
    alive: isStarted(run.session),
    ...(isStarting(run.session) && { starting: true }),
    choices: question?.choices ?? [],
    // No words answer it: its cause is fixed, and it is started again.
    ...(isSettledByRetry(run) && { command: `pawl retry ${refOf(run)}` }),
  };
}
