// Routes about gates: list, create, close, check.
import type { Hono } from "hono";
import { closeGateSchema, newGateSchema } from "../../api/gates.ts";
import { bodyOf, projectFor, type Routes } from "./context.ts";
import { page } from "./paging.ts";

const answers = () => import("../gates/answers.ts");

export function addGates(app: Hono, routes: Routes): void {
  app.get("/v1/gates", async (context) => {
    const project = await projectFor(routes, context);
    const isClosedToo = context.req.query("all") === "true";
    const gates = await (await answers()).allGates(routes, project, { isClosedToo });
    return page(context, gates, ({ id }) => id);
  });

  app.post("/v1/gates", async (context) => {
    const wish = await bodyOf(context, newGateSchema);
    const project = await projectFor(routes, context);
    return context.json(await (await answers()).created(routes, project, wish), 201);
  });

  app.post("/v1/gates/check", async (context) => {
    const project = await projectFor(routes, context);
    const named = context.req.query("gate");
    return context.json(await (await answers()).checked(routes, project, named));
  });

  app.post("/v1/gates/:id/close", async (context) => {
    const wish = await bodyOf(context, closeGateSchema);
    const project = await projectFor(routes, context);
    const id = context.req.param("id");
    return context.json(await (await answers()).closed(routes, project, { ...wish, id }));
  });
}
