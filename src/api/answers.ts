// What each call is answered with. Where PAWL_CHECK_ANSWERS is set, as in all acceptance tests, every
// answer is checked by this list; commands that people type do not, because loading the schemas would
// double the time that a command takes to start.
import { z } from "zod";
import { agentSchema } from "./agents.ts";
import {
  checkpointContentSchema,
  checkpointSchema,
  recoveredSchema,
  restoredSchema,
} from "./checkpoints.ts";
import { checkLogsSchema, checkSchema } from "./checks.ts";
import { COST_KEYS } from "./choices.ts";
import { budgetSchema, costSchema } from "./costs.ts";
import { doctorSchema } from "./doctor.ts";
import { escalationSchema, escalationWithLogSchema } from "./escalations.ts";
import {
  builtinListSchema,
  filedIssueSchema,
  formulaListSchema,
  formulaRunSchema,
  formulaSchema,
} from "./formulas.ts";
import { gateSchema } from "./gates.ts";
import { historySchema } from "./history.ts";
import {
  commentSchema,
  dependenciesSchema,
  issueSchema,
  issueWithCommentsSchema,
} from "./issues.ts";
import { letterSchema, threadSchema } from "./mail.ts";
import { channelSchema, notifyTestedSchema } from "./notify.ts";
import { patrolSchema, pendingSchema } from "./patrols.ts";
import { pluginRunSchema, pluginSchema } from "./plugins.ts";
import { prSchema, prWithReviewsSchema } from "./prs.ts";
import { addedEntriesSchema, explainSchema, queueSchema } from "./queue.ts";
import { roleRoundSchema } from "./roles.ts";
import { runSchema, statusSchema } from "./runs.ts";
import { runtimeSchema } from "./runtimes.ts";
import { scheduleSchema } from "./schedules.ts";
import { signalSchema } from "./signals.ts";
import { startPlanSchema } from "./start-plan.ts";
import { statsSchema } from "./stats.ts";
import { vaultSchema } from "./vault.ts";

const costsSchema = z.object({
  by: z.enum(COST_KEYS),
  rows: costSchema.array(),
  others: z.number(),
  total: costSchema,
  budgets: budgetSchema.array(),
});

const daemonSchema = z.object({
  pid: z.number(),
  since: z.string(),
  version: z.string(),
  /** As its `pawl --version` says it; one that was started by an older Pawl does not tell. */
  build: z.string().optional(),
  /** It is a `pawl run` in a terminal. */
  foreground: z.literal(true).optional(),
});

const ANSWERS: Record<string, z.ZodType> = {
  "GET /v1/agents": agentSchema.array(),
  "GET /v1/runtimes": runtimeSchema.array(),
  "GET /v1/checkpoints/:ref": checkpointSchema.array(),
  "GET /v1/checkpoints/:ref/:number": checkpointContentSchema,
  "POST /v1/checkpoints/:ref/:number/restore": restoredSchema,
  "POST /v1/recover": recoveredSchema.array(),
  "GET /v1/checks": checkSchema.array(),
  "GET /v1/checks/:ref": checkSchema,
  "GET /v1/checks/:ref/logs": checkLogsSchema,
  "GET /v1/stats": statsSchema,
  "GET /v1/costs": costsSchema,
  "GET /v1/dependencies": dependenciesSchema,
  "GET /v1/doctor": doctorSchema,
  "POST /v1/doctor/fix": doctorSchema,
  "GET /v1/escalations": escalationSchema.array(),
  "GET /v1/escalations/:ref": escalationWithLogSchema,
  "GET /v1/escalations/gate/:id": escalationWithLogSchema,
  "POST /v1/escalations/gate/:id/answer": gateSchema,
  "GET /v1/formulas": formulaListSchema,
  "GET /v1/formulas/builtins": builtinListSchema,
  "GET /v1/formulas/plan/:name": formulaSchema,
  "GET /v1/formulas/runs": formulaRunSchema.array(),
  "GET /v1/formulas/runs/:id": formulaRunSchema,
  "POST /v1/formulas/runs": formulaRunSchema,
  "POST /v1/formulas/issues": filedIssueSchema,
  "POST /v1/formulas/runs/:id/stop": formulaRunSchema,
  "GET /v1/gates": gateSchema.array(),
  "POST /v1/gates": gateSchema,
  "POST /v1/gates/check": gateSchema.array(),
  "POST /v1/gates/:id/close": gateSchema,
  "GET /v1/history": historySchema,
  "GET /v1/issues": issueSchema.array(),
  "GET /v1/issues/:number": issueWithCommentsSchema,
  "POST /v1/issues": issueSchema,
  "PATCH /v1/issues/:number": issueSchema,
  "POST /v1/issues/:number/comments": commentSchema,
  "GET /v1/mail": letterSchema.array(),
  "GET /v1/mail/:id": threadSchema,
  "POST /v1/mail": letterSchema,
  "POST /v1/mail/:id/read": threadSchema,
  "POST /v1/mail/:id/ack": threadSchema,
  "GET /v1/notify": channelSchema.array(),
  "POST /v1/notify/test": notifyTestedSchema.array(),
  "GET /v1/patrols": patrolSchema.array(),
  "GET /v1/patrols/pending": pendingSchema.array(),
  "POST /v1/patrols/:name/run": patrolSchema,
  "POST /v1/patrols/:name/restart": patrolSchema,
  "GET /v1/ping": z.object({ version: z.string(), daemon: daemonSchema.nullable() }),
  "GET /v1/plugins": pluginSchema.array(),
  "GET /v1/plugins/log": pluginRunSchema.array(),
  "POST /v1/plugins/:name/run": pluginSchema,
  "GET /v1/prs": prSchema.array(),
  "GET /v1/prs/:number": prWithReviewsSchema,
  "GET /v1/queue": queueSchema,
  "GET /v1/queue/:entry/explain": explainSchema,
  "POST /v1/queue/entries": addedEntriesSchema,
  "POST /v1/queue/remove": queueSchema,
  "POST /v1/queue/approve": queueSchema,
  "POST /v1/queue/priority": queueSchema,
  "POST /v1/queue/pause": queueSchema,
  "POST /v1/queue/resume": queueSchema,
  "GET /v1/roles/log": roleRoundSchema.array(),
  "GET /v1/runs/:ref": runSchema,
  "POST /v1/runs/:ref/stop": runSchema,
  "POST /v1/runs/:ref/retry": runSchema,
  "POST /v1/runs/:ref/hold": runSchema,
  "POST /v1/runs/:ref/release": runSchema,
  "POST /v1/runs/:ref/answer": runSchema,
  "POST /v1/runs/:ref/nudge": runSchema,
  "GET /v1/schedules": scheduleSchema.array(),
  "POST /v1/schedules/:name/run": scheduleSchema,
  "GET /v1/signals": signalSchema.array(),
  "GET /v1/start-plan": startPlanSchema,
  "GET /v1/status": statusSchema,
  "GET /v1/vault": vaultSchema.array(),
  "GET /v1/vault/:id": vaultSchema,
  "POST /v1/vault": vaultSchema,
  "POST /v1/vault/:id/approve": vaultSchema,
  "POST /v1/vault/:id/confirm": vaultSchema,
  "POST /v1/vault/:id/reject": vaultSchema,
  "GET /v1/why/:ref": z.object({ lines: z.array(z.string()) }),
};

const PATTERNS = Object.entries(ANSWERS)
  // A word of a path goes before a name: `plugins/log` is no plugin.
  .toSorted(([a], [b]) => a.split(":").length - b.split(":").length)
  .map(([call, schema]) => [new RegExp(`^${call.replaceAll(/:\w+/g, "[^/]+")}$`), schema] as const);

/** The schema of the answer to a call; undefined where there is none. */
export const answerTo = (method: string, path: string): z.ZodType | undefined =>
  PATTERNS.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
