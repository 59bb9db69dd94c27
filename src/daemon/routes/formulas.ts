// Routes about formulas: which there are, what they would do, and their runs.
import type { Hono } from "hono";
import { z } from "zod";
import { formulaIssueSchema, formulaWishSchema, stopFormulaSchema } from "../../api/formulas.ts";
import { bodyOf, projectFor, type Routes } from "./context.ts";
import { page } from "./paging.ts";

const answers = () => import("../formulas/answers.ts");
const varsSchema = z.record(z.string(), z.string());

export function addFormulas(app: Hono, routes: Routes): void {
  app.get("/v1/formulas", async (context) => {
    const project = await projectFor(routes, context);
    return context.json(await (await answers()).listed(routes, project));
  });

  app.get("/v1/formulas/builtins", async (context) => context.json((await answers()).builtins()));

  app.get("/v1/formulas/plan/:name", async (context) => {
    const project = await projectFor(routes, context);
    const given = context.req.query("vars");
    const vars = given === undefined ? undefined : varsSchema.parse(JSON.parse(given));
    const wish = { name: context.req.param("name"), vars };
    return context.json(await (await answers()).planned(routes, project, wish));
  });

  app.get("/v1/formulas/runs", async (context) => {
    const project = await projectFor(routes, context);
    const runs = await (await answers()).allRuns(routes, project);
    return page(context, runs, ({ id }) => id);
  });

  app.get("/v1/formulas/runs/:id", async (context) => {
    const project = await projectFor(routes, context);
    return context.json(await (await answers()).oneRun(routes, project, context.req.param("id")));
  });

  app.post("/v1/formulas/runs", async (context) => {
    const wish = await bodyOf(context, formulaWishSchema);
    const project = await projectFor(routes, context);
    return context.json(await (await answers()).begun(routes, project, wish), 201);
  });

  app.post("/v1/formulas/issues", async (context) => {
    const wish = await bodyOf(context, formulaIssueSchema);
    const project = await projectFor(routes, context);
    return context.json(await (await answers()).filed(routes, project, wish), 201);
  });

  app.post("/v1/formulas/runs/:id/stop", async (context) => {
    const { by } = await bodyOf(context, stopFormulaSchema);
    const project = await projectFor(routes, context);
    const wish = { named: context.req.param("id"), by };
    return context.json(await (await answers()).stopped(routes, project, wish));
  });
}
