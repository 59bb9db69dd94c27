// The route about what is over.
import type { Hono } from "hono";
import { z } from "zod";
import { HISTORY_KINDS, HISTORY_ROWS } from "../../api/choices.ts";
import { historyView } from "../views/history.ts";
import { onlyProject, type Routes } from "./context.ts";

const LIMIT_MAX = 1000;

const querySchema = z.object({
  kind: z.enum(HISTORY_KINDS).default("run"),
  limit: z.coerce.number().int().positive().max(LIMIT_MAX).default(HISTORY_ROWS),
  after: z.string().optional(),
});

export function addHistory(app: Hono, routes: Routes): void {
  app.get("/v1/history", async (context) => {
    const query = querySchema.parse(context.req.query());
    const project = await onlyProject(routes, context);
    const wanted = project === undefined ? query : { ...query, project };
    return context.json(await historyView(routes.store, wanted));
  });
}
