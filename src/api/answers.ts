// What each question is answered with. The daemon checks its own answers by this list where
// PAWL_CHECK_ANSWERS=1 is set, as tests do; the command line does not, because loading the schemas
// would double the time that a command takes to start.
import { z } from "zod";
import { agentSchema } from "./agents.ts";
import { checkpointContentSchema, checkpointSchema } from "./checkpoints.ts";
import { checkLogsSchema, checkSchema } from "./checks.ts";
import { COST_KEYS } from "./choices.ts";
import { budgetSchema, costSchema } from "./costs.ts";
import { doctorSchema } from "./doctor.ts";
import { escalationSchema, escalationWithLogSchema } from "./escalations.ts";
import { dependenciesSchema, issueSchema, issueWithCommentsSchema } from "./issues.ts";
import { channelSchema } from "./notify.ts";
import { prSchema, prWithReviewsSchema } from "./prs.ts";
import { explainSchema, queueSchema } from "./queue.ts";
import { runSchema, statusSchema } from "./runs.ts";
import { signalSchema } from "./signals.ts";
import { startPlanSchema } from "./start-plan.ts";
import { vaultSchema } from "./vault.ts";

const costsSchema = z.object({
  by: z.enum(COST_KEYS),
  rows: costSchema.array(),
  total: costSchema,
  budgets: budgetSchema.array(),
});

const ANSWERS: Record<string, z.ZodType> = {
  "/v1/agents": agentSchema.array(),
  "/v1/checkpoints/:ref": checkpointSchema.array(),
  "/v1/checkpoints/:ref/:number": checkpointContentSchema,
  "/v1/checks": checkSchema.array(),
  "/v1/checks/:ref": checkSchema,
  "/v1/checks/:ref/logs": checkLogsSchema,
  "/v1/costs": costsSchema,
  "/v1/dependencies": dependenciesSchema,
  "/v1/doctor": doctorSchema,
  "/v1/escalations": escalationSchema.array(),
  "/v1/escalations/:ref": escalationWithLogSchema,
  "/v1/issues": issueSchema.array(),
  "/v1/issues/:number": issueWithCommentsSchema,
  "/v1/notify": channelSchema.array(),
  "/v1/prs": prSchema.array(),
  "/v1/prs/:number": prWithReviewsSchema,
  "/v1/queue": queueSchema,
  "/v1/queue/:entry/explain": explainSchema,
  "/v1/runs/:ref": runSchema,
  "/v1/signals": signalSchema.array(),
  "/v1/start-plan": startPlanSchema,
  "/v1/status": statusSchema,
  "/v1/vault": vaultSchema.array(),
  "/v1/vault/:id": vaultSchema,
};

const PATTERNS = Object.entries(ANSWERS).map(
  ([path, schema]) => [new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`), schema] as const,
);

/** The schema of the answer to `GET path`; undefined where there is none. */
export const answerTo = (path: string): z.ZodType | undefined =>
  PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
