// The daemon's API: HTTP with JSON, on a Unix socket, and in process where no daemon runs.
import { Hono } from "hono";
import { describeError } from "../../lib/operation-error.ts";
import { addChecks } from "./checks.ts";
import type { Routes } from "./context.ts";
import { addIssues } from "./issues.ts";
import { addPrs } from "./prs.ts";
import { addQueue } from "./queue.ts";
import { addRuns } from "./runs.ts";
import { addStatus } from "./status.ts";

export function createApp(routes: Routes): Hono {
  const app = new Hono();
  addStatus(app, routes);
  addRuns(app, routes);
  addIssues(app, routes);
  addPrs(app, routes);
  addChecks(app, routes);
  addQueue(app, routes);
  app.notFound((context) =>
    context.json({ error: { code: "no-route", message: `there is no ${context.req.path}` } }, 404),
  );
  app.onError((error, context) => {
    const described = describeError(error);
    return context.json({ error: described }, described.code === "unexpected" ? 500 : 400);
  });
  return app;
}
