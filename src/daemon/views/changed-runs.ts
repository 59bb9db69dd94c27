// What a page draws again after some commits: the living runs that changed, whole, and whether more
// changed than these. A page of fifty busy runs that read the whole status after every commit cost the
// daemon 5 % of a core.
import type { ChangedView } from "../../api/changes.ts";
import type { RunView } from "../../api/runs.ts";
import type { AggregateId } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import type { StoredChange, StoreReader } from "../../ports/store.ts";

type Context = {
  store: Pick<StoreReader, "load">;
  viewOf: (run: Run) => Promise<RunView>;
};

/** For one follower: what it was told of projects is remembered. */
export function changedSince({
  store,
  viewOf,
}: Context): (changes: readonly StoredChange[]) => Promise<ChangedView> {
  const told = new Map<AggregateId, Told>();
  /** Undefined: this shows in more than the view of one run. */
  const viewIn = async (id: AggregateId): Promise<RunView[] | undefined> => {
    const state = (await store.load(id))?.state;
    if (state?.kind === "run") return isOver(state) ? undefined : [await viewOf(state)];
    if (state?.kind !== "project") return undefined;
    const [before, now] = [told.get(id), toldOf(state)];
    told.set(id, now);
    return before?.text === now.text && before.backlog === now.backlog ? [] : undefined;
  };
  return async (changes) => {
    const runs: RunView[] = [];
    let rest = changes.some(({ aggregates }) => aggregates === null || aggregates.length === 0);
    const ids = new Set(changes.flatMap(({ aggregates }) => aggregates ?? []));
    for (const id of ids) {
      const views = await viewIn(id);
      if (views === undefined) rest = true;
      else runs.push(...views);
    }
    return { runs, rest };
  };
}

/** A backlog that did not change stays the same object in the store's memory. */
type Told = { text: string; backlog: object };

/** All of a project but what its agents have used, which every turn of an agent adds to. */
const toldOf = (project: Project): Told => ({
  text: JSON.stringify({ ...project, backlog: [], spending: undefined }),
  backlog: project.backlog,
});
