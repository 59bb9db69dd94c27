// Routes about the merge queue.
import type { Hono } from "hono";
import { z } from "zod";
import { queueAggregate } from "../../core/ids.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import { assert } from "../../lib/assert.ts";
import { queueView } from "../views/queue.ts";
import { engineOf, projectFor, type Routes } from "./context.ts";

export function addQueue(app: Hono, routes: Routes): void {
  const queueFor = async (context: Parameters<typeof projectFor>[1]): Promise<Queue> => {
    const project = await projectFor(routes, context);
    const stored = await routes.store.load(queueAggregate(project.name));
    assert(stored?.state.kind === "queue", `project ${project.name} has no merge queue`);
    return stored.state;
  };

  app.get("/v1/queue", async (context) => context.json(queueView(await queueFor(context), routes)));

  app.post("/v1/queue/resume", async (context) => {
    const queue = await queueFor(context);
    const { by } = z.object({ by: z.string() }).parse(await context.req.json());
    const event = { kind: "queue-resumed", at: routes.ports.clock.now(), by } as const;
    await engineOf(routes).loop.submit({ to: queueAggregate(queue.project), event });
    return context.json(queueView(await queueFor(context), routes));
  });

  app.post("/v1/queue/pause", async (context) => {
    const queue = await queueFor(context);
    const body = z.object({ by: z.string(), why: z.string() }).parse(await context.req.json());
    const event = { kind: "queue-paused", at: routes.ports.clock.now(), ...body } as const;
    await engineOf(routes).loop.submit({ to: queueAggregate(queue.project), event });
    return context.json(queueView(await queueFor(context), routes));
  });
}
