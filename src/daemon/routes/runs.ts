// Routes about runs: show, log, diff, attach, why, and the commands that control one.
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { RunEvent } from "../../core/run/run-event.ts";
import type { ProjectName } from "../../core/ids.ts";
import { LABELS } from "../../core/issue.ts";
import { isActive, isOver, issueOf, refOf, type Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import { labelsOf } from "../observing/observe-project.ts";
import { logSince } from "../sessions/log-since.ts";
import { freshProject } from "../views/fresh-project.ts";
import { runView } from "../views/runs.ts";
import { worksOf } from "../views/progress.ts";
import { whyView } from "../views/why.ts";
import { mustNotChoose } from "./escalations.ts";
import { keptBy } from "./kept-by.ts";
import { terminalOf } from "./terminal-of.ts";
import { earlierWork, workOf } from "./work-of.ts";
import {
  aggregateOf,
  bodyOf,
  engineOf,
  findRun,
  mustGoOn,
  projectFor,
  runFor,
  type Routes,
} from "./context.ts";

const LOG_MAX_BYTES = 2_000_000;

const logQuery = z.object({
  /** The end of the log, at most this much of it. */
  bytes: z.coerce.number().int().positive().max(LOG_MAX_BYTES).default(64_000),
  /** What came after this byte; a follower sends the `next` it was given. */
  after: z.coerce.number().int().nonnegative().optional(),
});

export function addRuns(app: Hono, routes: Routes): void {
  const { ports, paths } = routes;
  // A passing command works on nothing beside its question.
  const works = async (project: ProjectName) =>
    routes.daemon === null ? [] : worksOf(ports, project);

  app.get("/v1/runs/:ref", async (context) => {
    const run = await runFor(routes, context);
    const about = { paths, now: ports.clock.now(), works: await works(run.project) };
    return context.json(runView(run, about));
  });

  app.get("/v1/runs/:ref/log", async (context) => {
    const run = await runFor(routes, context);
    const { bytes: maxBytes, after } = logQuery.parse(context.req.query());
    const logFile = paths.paneLog(run.project, run.id);
    const rest = await logSince({ logFile, after, maxBytes });
    const text =
      after === undefined
        ? await ports.sessionFiles.terminalLog({ logFile, maxBytes, size: TERMINAL_SIZE })
        : rest.text;
    const whose = { issue: issueOf(run) ?? null, identity: run.identity, pr: run.pr ?? null };
    const { next, drawn } = rest;
    return context.json({ text, next, drawn, over: isOver(run), run: whose });
  });

  app.get("/v1/runs/:ref/attach", async (context) => {
    const run = await runFor(routes, context);
    const name = run.session?.status === "live" ? run.session.pane?.tmuxSession : undefined;
    if (name === undefined) {
      throw new OperationError(`run ${run.id} has no running session to attach to`, {
        code: "no-session",
        hint: `see what it last showed with \`pawl logs ${refOf(run)}\``,
      });
    }
    // Only a name: the client builds the command itself and never runs what it is sent.
    return context.json({ session: name });
  });

  app.get("/v1/runs/:ref/diff", async (context) => {
    const run = await runFor(routes, context);
    const own = await workOf(routes, run);
    // One whose agent never started left nothing; the workspace has what was there before.
    const hasNone = isOver(run) && (own === undefined || own.diff.trim() === "");
    const work = (hasNone ? await earlierWork(routes, run) : undefined) ?? own;
    if (work === undefined) throw noChanges(run);
    return context.json(work);
  });

  app.get("/v1/why/:ref", async (context) => context.json(await whyAnswer(routes, context)));

  addRunCommands(app, routes);
}

async function whyAnswer(routes: Routes, context: Context): Promise<{ lines: string[] }> {
  const { ports, paths, store } = routes;
  const isAtWork = routes.daemon !== null;
  const project = await freshProject(routes, await projectFor(routes, context));
  const works = isAtWork ? await worksOf(ports, project.name) : [];
  const about = {
    project,
    ref: context.req.param("ref") ?? "",
    now: ports.clock.now(),
    isAtWork,
    terminal: terminalOf(routes),
    git: { paths, works },
  };
  return { lines: await whyView(store, about) };
}

const noChanges = (run: Run): OperationError =>
  new OperationError(`run ${run.id} is over, and no checkpoint of it is left`, {
    code: "run-over",
    hint: `\`pawl checkpoint list ${run.identity}\` shows what is saved of ${run.identity}`,
  });

/** Commands of a person that control a run, and the event each becomes. */
function addRunCommands(app: Hono, routes: Routes): void {
  const commands = {
    stop: "run-stopped",
    retry: "run-retried",
    hold: "run-held",
    release: "run-released",
  } as const;
  const by = z.object({ by: z.string() });
  for (const [command, kind] of Object.entries(commands) as [
    keyof typeof commands,
    RunEvent["kind"],
  ][]) {
    app.post(`/v1/runs/:ref/${command}`, async (context) => {
      const named = await runFor(routes, context);
      const run = command === "retry" ? await withLabels(routes, named) : named;
      if (command === "retry" && (await retryIssue(routes, context, run))) {
        return context.json(await current(routes, run));
      }
      mustGoOn(run, command);
      if (command === "retry") {
        mustNotChoose(run);
        await mustNotBeEnding(routes, run);
      }
      const body = await bodyOf(context, by);
      const event = { kind, at: routes.ports.clock.now(), ...body };
      await engineOf(routes).loop.submit({ to: aggregateOf(run), event: event as RunEvent });
      const now = await current(routes, run);
      if (command !== "retry") return context.json(now);
      return context.json({ ...now, kept_settings: await keptBy(routes, run) });
    });
  }
}

/**
 * A person ends a run by the label `blocked`, and then wants a new one: neither waits until Pawl has
 * looked at the issue.
 */
async function withLabels(routes: Routes, run: Run): Promise<Run> {
  const number = issueOf(run);
  if (number === undefined || !isActive(run) || run.stage.kind === "claiming") return run;
  const { forge } = await routes.ports.project(run.project);
  const event = await labelsOf(forge, { issue: number, clock: routes.ports.clock });
  if (event?.labels.includes(LABELS.blocked) !== true) return run;
  await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
  const stored = (await routes.store.load(aggregateOf(run)))?.state;
  return stored?.kind === "run" ? stored : run;
}

/** A person ends a run by the label `blocked`: until that is done, it cannot be tried again. */
async function mustNotBeEnding(routes: Routes, run: Run): Promise<void> {
  const number = issueOf(run);
  if (number === undefined) return;
  const { forge } = await routes.ports.project(run.project);
  const issue = await forge.issue(number);
  if (issue?.labels.includes(LABELS.blocked) !== true) return;
  const isLater = routes.daemon === null;
  throw new OperationError(
    `cannot retry #${number} yet: it has the label \`blocked\`, and run ${run.id} has not ended`,
    {
      code: "run-ending",
      hint: isLater
        ? `\`pawl run\` or \`pawl up\` ends it; then \`pawl retry ${number}\` begins a new run`
        : `Pawl is ending it: try again in a moment (\`pawl why ${number}\` shows when it has ended)`,
    },
  );
}

/** An issue whose last run is over is made ready for a new one; false where there is nothing of the kind. */
async function retryIssue(routes: Routes, request: Context, run: Run): Promise<boolean> {
  const number = issueOf(run);
  const { outcome } = run;
  if (outcome === undefined || outcome.kind === "landed" || number === undefined) return false;
  // Another run of the issue may be at work.
  if ((await findRun(routes, request, String(number))).id !== run.id) return false;
  const { forge } = await routes.ports.project(run.project);
  const issue = await forge.issue(number);
  if (issue?.state !== "open") {
    throw new OperationError(`cannot retry #${number}: the issue is closed`, {
      code: "run-over",
      hint: `\`pawl issue reopen ${number}\` opens it again`,
    });
  }
  const has = (label: string): boolean => issue.labels.includes(label);
  const removeLabels = [LABELS.blocked, LABELS.underspecified].filter(has);
  const addLabels = [LABELS.backlog, LABELS.inProgress].some(has) ? [] : [LABELS.backlog];
  // With neither it was retried before, and waits for a place or a daemon.
  if (removeLabels.length + addLabels.length > 0) {
    await forge.editIssue(number, { addLabels, removeLabels });
  }
  if (routes.daemon !== null) engineOf(routes).observe.nudge(run.project);
  return true;
}

async function current(routes: Routes, run: Awaited<ReturnType<typeof runFor>>) {
  const stored = await routes.store.load(aggregateOf(run));
  const now = stored?.state.kind === "run" ? stored.state : run;
  return runView(now, { paths: routes.paths, now: routes.ports.clock.now() });
}
