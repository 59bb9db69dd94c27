// What gates and plugins last did, for the notes of the deacon's steps. Both work by themselves.
import { pluginAggregate, type ProjectName } from "../../core/ids.ts";
import type { StepNews } from "../../core/patrol/patrol-event.ts";
import type { Store } from "../../ports/store.ts";

export const newsOf = async (
  store: Pick<Store, "load" | "history">,
  project: ProjectName,
): Promise<StepNews[]> => [
  ...(await gateNews(store, project)),
  ...(await pluginNews(store, project)),
];

async function gateNews(store: Pick<Store, "history">, project: ProjectName): Promise<StepNews[]> {
  const last = (await store.history({ kind: "gate", project, limit: 1 })).at(0);
  if (last === undefined) return [];
  const text = `gate ${last.reference} was closed: ${last.lastWords}`;
  return [{ step: "gate-evaluation", at: last.endedAt, text }];
}

async function pluginNews(store: Pick<Store, "load">, project: ProjectName): Promise<StepNews[]> {
  const state = (await store.load(pluginAggregate(project)))?.state;
  const last =
    state?.kind === "plugin" ? state.log.findLast((run) => run.ok !== undefined) : undefined;
  if (last?.endedAt === undefined) return [];
  const text = `plugin ${last.plugin} ${last.ok === true ? "succeeded" : "failed"}`;
  return [{ step: "plugin-run", at: last.endedAt, text }];
}
