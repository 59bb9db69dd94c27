// Routes about schedules: what comes when, and one now.
import type { Hono } from "hono";
import { triggerSchema } from "../../api/schedules.ts";
import { scheduleAggregate } from "../../core/ids.ts";
import { newSchedules, type Schedules } from "../../core/schedule/schedule.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { scheduleViews } from "../views/schedules.ts";
import { bodyOf, engineOf, projectFor, scopeOf, type Routes } from "./context.ts";

export function addSchedules(app: Hono, routes: Routes): void {
  const all = async (): Promise<Schedules[]> =>
    (await routes.store.aggregates({ kind: "schedule" })).flatMap(({ state }) =>
      state.kind === "schedule" ? [state] : [],
    );

  app.get("/v1/schedules", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const wanted = (await all()).filter(({ project }) => isWanted(project));
    return context.json(wanted.flatMap(scheduleViews));
  });

  app.post("/v1/schedules/:name/run", async (context) => {
    const name = context.req.param("name");
    const { by } = await bodyOf(context, triggerSchema);
    const { name: project } = await projectFor(routes, context);
    const to = scheduleAggregate(project);
    const load = async (): Promise<Schedules> => {
      const stored = (await routes.store.load(to))?.state;
      return stored?.kind === "schedule" ? stored : newSchedules(project);
    };
    const known = (await load()).entries.map(({ schedule }) => schedule.name);
    if (!known.includes(name)) throw noSchedule(name, known);
    const event = { kind: "schedule-triggered", at: routes.ports.clock.now(), name, by } as const;
    await engineOf(routes).loop.submit({ to, event });
    return context.json(scheduleViews(await load()).find((one) => one.name === name));
  });
}

const noSchedule = (name: string, known: string[]): OperationError =>
  new OperationError(`there is no schedule "${name}"`, {
    code: "no-schedule",
    hint: known.length === 0 ? "write [schedule.NAME] in pawl.toml" : `known: ${known.join(", ")}`,
  });
