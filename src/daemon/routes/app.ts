// The daemon's API: HTTP with JSON, on a Unix socket, and in process where no daemon runs.
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ZodError } from "zod";
import { describeError } from "../../lib/operation-error.ts";
import { addAgents } from "./agents.ts";
import { addChangesOf } from "./run-changes.ts";
import { addChanges } from "./changes.ts";
import { addCheckpoints } from "./checkpoints.ts";
import { addChecks } from "./checks.ts";
import type { Routes } from "./context.ts";
import { addCosts, addStartPlan } from "./costs.ts";
import { addDoctor } from "./doctor.ts";
import { addEscalations } from "./escalations.ts";
import { addForges } from "./forges.ts";
import { addFormulas } from "./formulas.ts";
import { addGates } from "./gates.ts";
import { addHistory } from "./history.ts";
import { httpStatus } from "./http-status.ts";
import { addIssues } from "./issues.ts";
import { addMail } from "./mail.ts";
import { addNotify } from "./notify.ts";
import { addPageLinks } from "./page-links.ts";
import { addPatrols } from "./patrols.ts";
import { addPlugins } from "./plugins.ts";
import { addPrs } from "./prs.ts";
import { addQueue } from "./queue.ts";
import { addRedaction } from "./redact-answers.ts";
import { addRoles } from "./roles.ts";
import { addRuns } from "./runs.ts";
import { addRuntimes } from "./runtimes.ts";
import { addSchedules } from "./schedules.ts";
import { addSessionGuard } from "./session-guard.ts";
import { addStats } from "./stats.ts";
import { addStatus } from "./status.ts";
import { addVault } from "./vault.ts";

export function createApp(routes: Routes): Hono {
  const app = new Hono();
  addRedaction(app, routes);
  addSessionGuard(app);
  addStatus(app, routes);
  addChanges(app, routes);
  addAgents(app, routes);
  addRuntimes(app, routes);
  addRuns(app, routes);
  addChangesOf(app, routes);
  addEscalations(app, routes);
  addIssues(app, routes);
  addMail(app, routes);
  addPatrols(app, routes);
  addPlugins(app, routes);
  addRoles(app, routes);
  addSchedules(app, routes);
  addPrs(app, routes);
  addChecks(app, routes);
  addCheckpoints(app, routes);
  addQueue(app, routes);
  addCosts(app, routes);
  addStats(app, routes);
  addHistory(app, routes);
  addStartPlan(app, routes);
  addNotify(app, routes);
  addFormulas(app, routes);
  addGates(app, routes);
  addDoctor(app, routes);
  addVault(app, routes);
  addForges(app, routes);
  addPageLinks(app, routes);
  app.notFound((context) =>
    context.json({ error: { code: "no-route", message: `there is no ${context.req.path}` } }, 404),
  );
  app.onError((error, context) => {
    const described = error instanceof ZodError ? describeInput(error) : describeError(error);
    return context.json({ error: described }, httpStatus(described.code) as ContentfulStatusCode);
  });
  return app;
}

/** What a caller sent that cannot be used: every field with what it must be, in one sentence. */
function describeInput(error: ZodError): { code: string; message: string } {
  const parts = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
  );
  return { code: "usage", message: parts.join("; ") };
}
