// Routes about the course of a run: what it has changed, line by line, what people say about lines, and
// what happened when.
import type { Hono } from "hono";
import { readUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { commentSchema, type ChangesOfView } from "../../api/run-changes.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { commentsOf, filesIn } from "../views/run-changes.ts";
import { timelineOf } from "../views/timeline.ts";
import { aggregateOf, bodyOf, engineOf, mustGoOn, runFor, type Routes } from "./context.ts";
import { workOf } from "./work-of.ts";

/** As much as a person can read in a browser. */
const CHANGES_MAX_BYTES = 1_000_000;

const PROMPT_MAX_BYTES = 256 * 1024;
/** A run that looks at its session for days has more; then only its last part is told. */
const EVENTS_MAX = 5000;

export function addChangesOf(app: Hono, routes: Routes): void {
  const { ports, paths } = routes;

  app.get("/v1/runs/:ref/changes", async (context) => {
    const run = await runFor(routes, context);
    const work = await workOf(routes, run, { diffMaxBytes: CHANGES_MAX_BYTES });
    const diff = work?.diff ?? "";
    const isCut = work?.cut === true || diff.length > CHANGES_MAX_BYTES;
    const files = filesIn(diff.slice(0, CHANGES_MAX_BYTES));
    const changes: ChangesOfView = { files, is_cut: isCut };
    return context.json(changes);
  });

  app.get("/v1/runs/:ref/timeline", async (context) => {
    const run = await runFor(routes, context);
    const stored = await routes.store.events({ to: aggregateOf(run), limit: EVENTS_MAX });
    return context.json(
      timelineOf(
        run,
        stored.map(({ event }) => event),
      ),
    );
  });

  app.get("/v1/runs/:ref/prompt", async (context) => {
    const run = await runFor(routes, context);
    const file = `${paths.session(run.project, run.id, run.epoch)}/prompt.md`;
    const text = await readUntrusted(file, PROMPT_MAX_BYTES);
    if (text !== undefined) return context.json({ text });
    throw new OperationError(`run ${run.id} has no prompt yet: no session of it has started`, {
      code: "not-found",
    });
  });

  app.get("/v1/runs/:ref/comments", async (context) =>
    context.json(commentsOf(await runFor(routes, context))),
  );

  app.post("/v1/runs/:ref/comments", async (context) => {
    const run = await runFor(routes, context);
    mustGoOn(run, "comment on");
    const comment = await bodyOf(context, commentSchema);
    const event = { kind: "line-commented", at: ports.clock.now(), comment } as const;
    await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
    const stored = (await routes.store.load(aggregateOf(run)))?.state;
    return context.json(commentsOf(stored?.kind === "run" ? stored : run));
  });
}
