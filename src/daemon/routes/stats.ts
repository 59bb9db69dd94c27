// The route about what the factory did in a stretch of days.
import type { Hono } from "hono";
import { z } from "zod";
import { STATS_DAYS, STATS_DAYS_MAX } from "../../api/choices.ts";
import { statsView } from "../views/stats.ts";
import { onlyProject, type Routes } from "./context.ts";

const querySchema = z.object({
  days: z.coerce.number().int().min(1).max(STATS_DAYS_MAX).default(STATS_DAYS),
  role: z.string().optional(),
});

export function addStats(app: Hono, routes: Routes): void {
  app.get("/v1/stats", async (context) => {
    const { days, role } = querySchema.parse(context.req.query());
    const project = await onlyProject(routes, context);
    const now = routes.ports.clock.now();
    return context.json(await statsView(routes.store, { days, role, project, now }));
  });
}
