// The projects of a view with what it says of their backlogs. A backlog is read only where it changed
// since the last question, not where only its project did: fifty of them with ten thousand issues each
// take seconds to parse.
import { setImmediate as nextTurn } from "node:timers/promises";
import { projectOf, type AggregateId } from "../../core/ids.ts";
import { digestOf, type BacklogDigest } from "../../core/project/digest.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoredAggregate, StoreReader } from "../../ports/store.ts";

/** `project`: without its backlog. */
export type Digested = { project: Project; digest: BacklogDigest };

/** `of`: the backlog, and what issues wait for as their last agents said. */
type Known = { of: string; digest: BacklogDigest };

/** For the questions of one process: another one that writes to the journal is not noticed. */
export class BacklogDigests {
  readonly #known = new Map<AggregateId, Known>();

  async of(
    store: Pick<StoreReader, "aggregates">,
    { id, state }: StoredAggregate,
  ): Promise<Digested | undefined> {
    if (state.kind !== "project") return undefined;
    const known = this.#known.get(id);
    if (known?.of === digestedIn(state)) return { project: state, digest: known.digest };
    // Others have their turn between two backlogs, and between reading one and going through it.
    await nextTurn();
    // Listed and not loaded: the store keeps no issues in memory that are asked for once.
    const query = { kind: "project", project: projectOf(id) } as const;
    const loaded = (await store.aggregates(query)).at(0);
    if (loaded?.state.kind !== "project") return undefined;
    await nextTurn();
    const digest = digestOf(loaded.state);
    this.#known.set(id, { of: digestedIn(loaded.state), digest });
    return { project: { ...loaded.state, backlog: [] }, digest };
  }
}

/** The same where a digest would be: every change of a backlog is counted. */
const digestedIn = ({ backlogVersion = 0, waits = {} }: Project): string =>
  JSON.stringify([backlogVersion, waits]);

type Context = {
  store: Pick<StoreReader, "aggregates">;
  refresh?: (project: Project) => Promise<Project>;
  digests?: BacklogDigests;
};

/** `stored`: aggregates of any kind, projects without their backlogs. */
export async function digestAll(
  stored: readonly StoredAggregate[],
  { store, refresh, digests = new BacklogDigests() }: Context,
): Promise<Digested[]> {
  const found: Digested[] = [];
  for (const one of stored) {
    if (one.state.kind !== "project") continue;
    const project = await refresh?.(one.state);
    const digested =
      project === undefined ? await digests.of(store, one) : { project, digest: digestOf(project) };
    if (digested !== undefined) found.push(digested);
  }
  return found;
}
