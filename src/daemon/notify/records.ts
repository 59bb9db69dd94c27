// Where each channel's notices are kept: records of the journal, so that no news dies with a daemon.
import type { ChannelConfig } from "../../core/channel.ts";
import { projectName, type ProjectName } from "../../core/ids.ts";
import type { Store, StoreReader } from "../../ports/store.ts";
import { briefProject, type BriefProject } from "../engine/brief-project.ts";
import { noNotices, type Notices } from "./notices.ts";

const COLLECTION = "notices";

export type Way = { project: ProjectName; channel: ChannelConfig };

export const keyOf = ({ project, channel }: Way): string => `${project}/${channel.name}`;

export const waysOfProject = ({ name, config }: BriefProject): Way[] =>
  (config?.notify ?? []).map((channel) => ({ project: name, channel }));

export async function waysOf(store: StoreReader, project: string): Promise<Way[]> {
  const found = await briefProject(store, projectName(project));
  return found === undefined ? [] : waysOfProject(found);
}

export async function allWays(store: StoreReader): Promise<Way[]> {
  return (await store.aggregates({ kind: "project", isBrief: true })).flatMap(({ state }) =>
    state.kind === "project" ? waysOfProject(state) : [],
  );
}

export async function noticesOf(store: Pick<StoreReader, "records">, way: Way): Promise<Notices> {
  const stored = await store.records.get<Notices>(COLLECTION, keyOf(way));
  return stored?.value ?? noNotices();
}

/** In one transaction, because news comes from many sides. Writes nothing where nothing changed. */
export function changeNotices(
  store: Store,
  way: Way,
  change: (notices: Notices) => Notices,
): Promise<Notices> {
  return store.transaction(async (tx) => {
    const before = await noticesOf(tx, way);
    const after = change(before);
    if (after !== before) await tx.records.put(COLLECTION, keyOf(way), after);
    return after;
  });
}
