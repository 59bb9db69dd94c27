// What gates and plugins last did, for the notes of the deacon's steps. Both work by themselves.
import { pluginAggregate, type ProjectName } from "../../core/ids.ts";
import type { StepNews } from "../../core/patrol/patrol-event.ts";
import type { Store } from "../../ports/store.ts";

export const newsOf = async (
  store: Pick<Store, "load" | "aggregates">,
  project: ProjectName,
): Promise<StepNews[]> => [
  ...(await gateNews(store, project)),
  ...(await pluginNews(store, project)),
];

async function gateNews(
  store: Pick<Store, "aggregates">,
  project: ProjectName,
): Promise<StepNews[]> {
  const gates = await store.aggregates({ project, kind: "gate" });
  const closed = gates.flatMap(({ state }) =>
    state.kind === "gate" && state.closed !== undefined
      ? [{ at: state.closed.at, text: `gate ${state.id} was closed: ${state.closed.reason}` }]
      : [],
  );
  const last = closed.toSorted((a, b) => a.at - b.at).at(-1);
  return last === undefined ? [] : [{ step: "gate-evaluation", ...last }];
}

async function pluginNews(store: Pick<Store, "load">, project: ProjectName): Promise<StepNews[]> {
  const state = (await store.load(pluginAggregate(project)))?.state;
  const last =
    state?.kind === "plugin" ? state.log.findLast((run) => run.ok !== undefined) : undefined;
  if (last?.endedAt === undefined) return [];
  const text = `plugin ${last.plugin} ${last.ok === true ? "succeeded" : "failed"}`;
  return [{ step: "plugin-run", at: last.endedAt, text }];
}
