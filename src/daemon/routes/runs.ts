// Routes about runs: show, stop, retry, hold, release, answer, why.
import type { Hono } from "hono";
import { z } from "zod";
import type { RunEvent } from "../../core/event.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { runView } from "../views/runs.ts";
import { whyView } from "../views/why.ts";
import { aggregateOf, engineOf, mustGoOn, projectFor, runFor, type Routes } from "./context.ts";

const LOG_MAX_BYTES = 2_000_000;

export function addRuns(app: Hono, routes: Routes): void {
  const { ports, paths } = routes;
  const view = (run: Awaited<ReturnType<typeof runFor>>) =>
    runView(run, { paths, now: ports.clock.now() });

  app.get("/v1/runs/:ref", async (context) => context.json(view(await runFor(routes, context))));

  app.get("/v1/runs/:ref/log", async (context) => {
    const run = await runFor(routes, context);
    const maxBytes = Math.min(Number(context.req.query("bytes") ?? 64_000), LOG_MAX_BYTES);
    const logFile = paths.paneLog(run.project, run.id);
    return context.json({ text: await ports.sessionFiles.logTail({ logFile, maxBytes }) });
  });

  app.get("/v1/runs/:ref/attach", async (context) => {
    const run = await runFor(routes, context);
    const name = run.session?.status === "live" ? run.session.pane?.tmuxSession : undefined;
    if (name === undefined) {
      throw new OperationError(`run ${run.id} has no living session to attach to`, {
        code: "no-session",
        hint: `see what it last showed with \`pawl logs ${run.issue.number}\``,
      });
    }
    return context.json({ argv: ports.terminal.attachCommand(name) });
  });

  app.get("/v1/runs/:ref/diff", async (context) => {
    const run = await runFor(routes, context);
    if (run.base === undefined) return context.json({ log: "", stat: "", diff: "" });
    const { git } = await ports.project(run.project);
    const workspace = paths.workspace(run.project, run.identity);
    return context.json(await git.summary({ workspace, base: run.base }));
  });

  app.get("/v1/why/:ref", async (context) => {
    const project = await projectFor(routes, context);
    const about = { project, ref: context.req.param("ref"), now: ports.clock.now() };
    return context.json({ lines: await whyView(routes.store, about) });
  });

  addWishes(app, routes);
}

/** What a person may wish of a run, and the fact it becomes. */
function addWishes(app: Hono, routes: Routes): void {
  const wishes = {
    stop: "run-stopped",
    retry: "run-retried",
    hold: "run-held",
    release: "run-released",
  } as const;
  const by = z.object({ by: z.string() });
  for (const [wish, kind] of Object.entries(wishes) as [keyof typeof wishes, RunEvent["kind"]][]) {
    app.post(`/v1/runs/:ref/${wish}`, async (context) => {
      const run = await runFor(routes, context);
      mustGoOn(run, wish);
      const event = { kind, at: routes.ports.clock.now(), ...by.parse(await context.req.json()) };
      await engineOf(routes).loop.submit({ to: aggregateOf(run), event: event as RunEvent });
      return context.json(await current(routes, run));
    });
  }
  app.post("/v1/runs/:ref/answer", async (context) => {
    const run = await runFor(routes, context);
    if (run.stage.kind !== "escalated") {
      throw new OperationError(`run ${run.id} asks nothing: there is no escalation to answer`, {
        code: "no-escalation",
        hint: "see `pawl status` for what waits for a person",
      });
    }
    const body = by.extend({ text: z.string().min(1) }).parse(await context.req.json());
    const event = { kind: "escalation-answered", at: routes.ports.clock.now(), ...body } as const;
    await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
    return context.json(await current(routes, run));
  });
}

async function current(routes: Routes, run: Awaited<ReturnType<typeof runFor>>) {
  const stored = await routes.store.load(aggregateOf(run));
  const now = stored?.state.kind === "run" ? stored.state : run;
  return runView(now, { paths: routes.paths, now: routes.ports.clock.now() });
}
