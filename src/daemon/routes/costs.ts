// What agents have used and cost, by the requested grouping.
import type { Hono } from "hono";
import { z } from "zod";
import { COST_KEYS, type CostsView, type CostView } from "../../api/costs.ts";
import { projectOf } from "../../core/ids.ts";
import { sumUsage, totalUsage, type UsageSum } from "../../core/usage.ts";
import { usableConfig } from "../host/register.ts";
import { recordedUsage } from "../sessions/usage.ts";
import { budgetViews } from "../views/budgets.ts";
import { freshProject } from "../views/fresh-project.ts";
import { startPlan } from "../views/start-plan.ts";
import { projectFor, scopeOf, type Routes } from "./context.ts";

const query = z.object({ by: z.enum(COST_KEYS).default("issue") });

export function addCosts(app: Hono, routes: Routes): void {
  app.get("/v1/costs", async (context) => {
    const { by } = query.parse(context.req.query());
    const scope = await scopeOf(routes, context);
    const lives = (await recordedUsage(routes.store)).filter(({ project }) => scope(project));
    const states = (await routes.store.aggregates())
      .filter(({ id }) => scope(projectOf(id)))
      .map(({ state }) => state);
    const view: CostsView = {
      by,
      rows: sumUsage(lives, by).map(costView),
      total: costView(totalUsage(lives)),
      budgets: budgetViews(states, routes.ports.clock.now()),
    };
    return context.json(view);
  });
}

/** What `pawl run` would start now. A question changes nothing: it registers no project. */
export function addStartPlan(app: Hono, routes: Routes): void {
  app.get("/v1/start-plan", async (context) => {
    const registered = await projectFor(routes, context);
    // What `pawl run` would refuse is no plan.
    await usableConfig(registered.root);
    const project = await freshProject(routes, registered);
    const lives = await recordedUsage(routes.store);
    const own = lives.filter((life) => life.project === project.name);
    return context.json(startPlan(project, own));
  });
}

const costView = (sum: UsageSum): CostView => ({
  key: sum.key,
  input_tokens: sum.input,
  output_tokens: sum.output,
  cache_read_tokens: sum.cacheRead,
  cache_write_tokens: sum.cacheWrite,
  sidechain_tokens: sum.sidechainTokens,
  cost_usd: Math.round(sum.costUsd * 1e6) / 1e6,
});
