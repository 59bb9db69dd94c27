// The change feed, for everything that follows: status, signals, logs, the merge queue, a page.
import type { Hono } from "hono";
import { changesQuery } from "../../api/changes.ts";
import type { RunView } from "../../api/runs.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { redactText } from "../../core/redact.ts";
import type { Run } from "../../core/run/run.ts";
import { activityOf } from "../views/activity.ts";
import { changedSince } from "../views/changed-runs.ts";
import { worksOf } from "../views/progress.ts";
import { runView } from "../views/runs.ts";
import { changeStream, type StreamOptions, type WatchMore } from "../publishing/change-stream.ts";
import { watchLog } from "../publishing/watch-log.ts";
import { findRun, type Request, type Routes } from "./context.ts";

export function addChanges(app: Hono, routes: Routes): void {
  app.get("/v1/changes", async (context) => {
    const { feed, store } = routes;
    if (feed === undefined) {
      throw new OperationError("no daemon runs, so there are no changes to follow", {
        code: "no-daemon",
        hint: "`pawl up` starts it",
      });
    }
    const { after, run, views } = changesQuery.parse({
      ...context.req.query(),
      ...lastSeen(context),
    });
    const watchMore = run === undefined ? undefined : await logOf(routes, context, run);
    const viewsOf = views === "true" ? viewsIn(routes) : undefined;
    return new Response(changeStream({ store, feed, after, watchMore, viewsOf }), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  });
}

/** What a follower that reconnects has seen last counts, not where it began. */
function lastSeen(context: Request): { after?: string } {
  const id = context.req.header("last-event-id");
  return id === undefined || id === "" ? {} : { after: id };
}

function viewsIn(routes: Routes): StreamOptions["viewsOf"] {
  const { store, ports, paths } = routes;
  const viewOf = async (run: Run): Promise<RunView> => {
    const now = ports.clock.now();
    const works = await worksOf(ports, run.project);
    return { ...runView(run, { paths, now, works }), activity: await activityOf(store, now)(run) };
  };
  const changed = changedSince({ store, viewOf });
  const clean = (text: string): string => redactText(text, (part) => ports.redact(part));
  return async (changes) => clean(JSON.stringify(await changed(changes)));
}

async function logOf(routes: Routes, context: Request, ref: string): Promise<WatchMore> {
  const run = await findRun(routes, context, ref);
  const path = routes.paths.paneLog(run.project, run.id);
  return (call) => watchLog(path, call);
}
