// Routes about the standing roles: what they found, decided and did.
import type { Hono } from "hono";
import type { RoleRoundView } from "../../api/roles.ts";
import type { ProjectName } from "../../core/ids.ts";
import { describe } from "../../core/roles/operations.ts";
import { roundsOf, type Round } from "../roles/rounds.ts";
import { iso } from "../views/agents.ts";
import { scopeOf, type Routes } from "./context.ts";
import { page } from "./paging.ts";

export function addRoles(app: Hono, routes: Routes): void {
  app.get("/v1/roles/log", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const role = context.req.query("role");
    const views: RoleRoundView[] = [];
    for (const { state } of await routes.store.aggregates({ kind: "project", isBrief: true })) {
      if (state.kind !== "project" || !isWanted(state.name)) continue;
      const rounds = await roundsOf(routes.store, state.name);
      views.push(...rounds.map((round) => roundView(state.name, round)));
    }
    const shown = views.filter((view) => role === undefined || view.role === role);
    return page(context, shown, ({ project, formula, cycle }) => `${project}/${formula}/${cycle}`);
  });
}

const roundView = (project: ProjectName, round: Round): RoleRoundView => ({
  at: iso(round.at),
  project,
  role: round.role,
  formula: round.formula,
  cycle: round.cycle,
  found: round.findings.map(({ level, text }) => `${level} ${text}`),
  answer: round.answer,
  planned: round.planned.map(describe),
  done: round.done,
  left: round.left,
});
