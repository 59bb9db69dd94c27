// The change feed, for everything that follows: status, signals, logs, the merge queue, a page.
import type { Hono } from "hono";
import { changesQuery } from "../../api/changes.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { changeStream, type WatchMore } from "../publishing/change-stream.ts";
import { watchLog } from "../publishing/watch-log.ts";
import { findRun, type Request, type Routes } from "./context.ts";

export function addChanges(app: Hono, routes: Routes): void {
  app.get("/v1/changes", async (context) => {
    const { feed, store } = routes;
    if (feed === undefined) {
      throw new OperationError("no daemon runs, so that there are no changes to follow", {
        code: "no-daemon",
        hint: "`pawl up` starts it",
      });
    }
    const { after, run } = changesQuery.parse({
      ...context.req.query(),
      ...lastSeen(context),
    });
    const watchMore = run === undefined ? undefined : await logOf(routes, context, run);
    return new Response(changeStream({ store, feed, after, watchMore }), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  });
}

/** What a follower that reconnects has seen last counts, not where it began. */
function lastSeen(context: Request): { after?: string } {
  const id = context.req.header("last-event-id");
  return id === undefined || id === "" ? {} : { after: id };
}

async function logOf(routes: Routes, context: Request, ref: string): Promise<WatchMore> {
  const run = await findRun(routes, context, ref);
  const path = routes.paths.paneLog(run.project, run.id);
  return (call) => watchLog(path, call);
}
