// What agents have used and cost, by the requested grouping.
import type { Hono } from "hono";
import { z } from "zod";
import { COST_KEYS } from "../../api/choices.ts";
import { refuseMissingTarget, usableConfig } from "../host/register.ts";
import { recordedLives } from "../sessions/usage.ts";
import { costsView } from "../views/costs.ts";
import { freshProject } from "../views/fresh-project.ts";
import { startPlan } from "../views/start-plan.ts";
import { onlyProject, projectFor, type Routes } from "./context.ts";

const query = z.object({
  by: z.enum(COST_KEYS).default("issue"),
  limit: z.coerce.number().int().min(1).optional(),
});

export function addCosts(app: Hono, routes: Routes): void {
  app.get("/v1/costs", async (context) => {
    const { by, limit } = query.parse(context.req.query());
    const project = await onlyProject(routes, context);
    const now = routes.ports.clock.now();
    return context.json(await costsView(routes.store, { by, project, now, limit }));
  });
}

/** What `pawl run` would start now. A question changes nothing: it registers no project. */
export function addStartPlan(app: Hono, routes: Routes): void {
  app.get("/v1/start-plan", async (context) => {
    const registered = await projectFor(routes, context);
    // What `pawl run` would refuse is no plan.
    const { config } = await usableConfig(routes.store, registered.root);
    const { target } = config;
    await refuseMissingTarget(registered.root, { target, upstream: registered.upstream });
    const project = await freshProject(routes, registered);
    const lives = await recordedLives(routes.store);
    const own = lives.filter((life) => life.project === project.name);
    return context.json(startPlan(project, own));
  });
}
