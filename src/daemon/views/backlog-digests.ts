// The projects of a view with what it says of their backlogs. A backlog is read only where its project
// has another version than at the last question: fifty of them with ten thousand issues each take
// seconds to parse.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AggregateId } from "../../core/ids.ts";
import { digestOf, type BacklogDigest } from "../../core/project/digest.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoredAggregate, StoreReader } from "../../ports/store.ts";

/** `project`: without its backlog. */
export type Digested = { project: Project; digest: BacklogDigest };

type Known = { version: number; digest: BacklogDigest };

/** For the questions of one process: another one that writes to the journal is not noticed. */
export class BacklogDigests {
  readonly #known = new Map<AggregateId, Known>();
  /** The backlog of a project that changes is mostly the same one. */
  readonly #read = new WeakMap<object, Pick<Project, "waits"> & { digest: BacklogDigest }>();

  async of(
    store: Pick<StoreReader, "load">,
    { id, version, state }: StoredAggregate,
  ): Promise<Digested | undefined> {
    if (state.kind !== "project") return undefined;
    const known = this.#known.get(id);
    if (known?.version === version) return { project: state, digest: known.digest };
    // Between two backlogs others have their turn.
    await nextTurn();
    const loaded = await store.load(id);
    if (loaded?.state.kind !== "project") return undefined;
    const digest = this.#digest(loaded.state);
    this.#known.set(id, { version: loaded.version, digest });
    return { project: { ...loaded.state, backlog: [] }, digest };
  }

  #digest(project: Project): BacklogDigest {
    const read = this.#read.get(project.backlog);
    if (read !== undefined && read.waits === project.waits) return read.digest;
    const digest = digestOf(project);
    const { waits } = project;
    this.#read.set(project.backlog, { digest, ...(waits === undefined ? {} : { waits }) });
    return digest;
  }
}

type Context = {
  store: Pick<StoreReader, "load">;
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
