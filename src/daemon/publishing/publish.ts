// Keeps the published copies of the state up to date after every commit. They are
// derived: what a crash leaves behind is written again at the next start, and what could not be
// written (a disk that is full for a while) until it can.
import { join } from "node:path";
import { runAggregate, type AggregateId, type ProjectName } from "../../core/ids.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import type { AggregateState } from "../../core/step.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Publisher } from "../../ports/publisher.ts";
import type { Store } from "../../ports/store.ts";
import { briefProject } from "../engine/brief-project.ts";
import type { Paths } from "../host/paths.ts";
import { json, RunCopies, type Copy } from "./run-copies.ts";
import { endedRuns } from "../views/find-runs.ts";
import { queueView } from "../views/queue.ts";

/** A run that had ended this long before the last sign of life was published by the daemon then. */
const SETTLED_MS = 6 * 3_600_000;

/** More do not end in that time. */
const SETTLED_MAX = 500;

const AGAIN_MS = 2 * 60_000;

type Changed = { id: AggregateId; state: AggregateState };

export type Publish = {
  /** All there is, at the start of a daemon. */
  begin(all: readonly Changed[]): void;
  /** These changed; their copies follow soon. */
  changed(changed: readonly Changed[]): void;
  /** Resolves when the copy of this aggregate is on disk. */
  flush(id: AggregateId): Promise<void>;
};

type PublishDeps = {
  store: Store;
  publisher: Publisher;
  clock: Clock;
  paths: Paths;
  onError: (error: unknown) => void;
};

export const createPublish = (deps: PublishDeps): Publish => new Copies(deps);

class Copies implements Publish {
  readonly #deps: PublishDeps;
  readonly #runs: RunCopies;
  readonly #written = new Map<string, string>();
  /** As they were committed, until they are written: nothing has to be read again for that. */
  readonly #changed = new Map<AggregateId, AggregateState>();
  readonly #underWay = new Map<AggregateId, Promise<void>>();
  readonly #waiting = new Map<AggregateId, Promise<void>>();
  /** What failed, until its next try. */
  readonly #failed = new Set<AggregateId>();
  /** The last epoch of each identity: an earlier run of it has no power over its copies. */
  readonly #epochs = new Map<string, number>();

  constructor(deps: PublishDeps) {
    this.#deps = deps;
    this.#runs = new RunCopies(deps.paths);
  }

  begin(all: readonly Changed[]): void {
    const runs = all.flatMap(({ state }) => (state.kind === "run" ? [state] : []));
    const last = runs.reduce((latest, run) => Math.max(latest, seenAt(run)), 0);
    this.changed(
      all.filter(({ state }) => {
        return state.kind !== "run" || !isOver(state) || seenAt(state) > last - SETTLED_MS;
      }),
    );
  }

  changed(changed: readonly Changed[]): void {
    for (const { id, state } of changed) {
      if (state.kind !== "run" && state.kind !== "queue") continue;
      if (state.kind === "run") {
        const known = this.#epochs.get(identityOf(state)) ?? 0;
        this.#epochs.set(identityOf(state), Math.max(known, state.epoch));
      }
      this.#changed.set(id, state);
      this.flush(id).catch(this.#deps.onError);
    }
  }

  /** One write at a time per aggregate; all changes during a write lead to one more. */
  flush(id: AggregateId): Promise<void> {
    const known = this.#waiting.get(id);
    if (known !== undefined) return known;
    const next = (this.#underWay.get(id) ?? Promise.resolve()).then(() => {
      this.#waiting.delete(id);
      return this.#write(id);
    });
    this.#waiting.set(id, next);
    const settled = next.catch(() => undefined);
    this.#underWay.set(id, settled);
    settled
      .then(() => {
        if (this.#underWay.get(id) === settled) this.#underWay.delete(id);
      })
      .catch(this.#deps.onError);
    return next;
  }

  async #write(id: AggregateId): Promise<void> {
    const state = this.#changed.get(id) ?? (await this.#deps.store.load(id))?.state;
    this.#changed.delete(id);
    if (state === undefined) return;
    try {
      for (const { path, content } of await this.#copiesOf(state)) {
        if (this.#written.get(path) === content) continue;
        await this.#deps.publisher.publish(path, content);
        this.#written.set(path, content);
      }
    } catch (error) {
      this.#writeAgain(id);
      throw error;
    }
  }

  #writeAgain(id: AggregateId): void {
    if (this.#failed.has(id)) return;
    this.#failed.add(id);
    this.#deps.clock.after(AGAIN_MS, () => {
      this.#failed.delete(id);
      this.flush(id).catch(this.#deps.onError);
    });
  }

  async #copiesOf(state: AggregateState): Promise<Copy[]> {
    if (state.kind === "run") {
      const isPast = state.epoch < (this.#epochs.get(identityOf(state)) ?? 0);
      return isPast ? [] : this.#runs.of(state, this.#deps.clock.now());
    }
    if (state.kind !== "queue") return [];
    const folder = await this.#stateFolder(state.project);
    return [
      { path: join(folder, "merge-queue.json"), content: json(queueView(state, this.#deps)) },
    ];
  }

  async #stateFolder(project: ProjectName): Promise<string> {
    const own = await briefProject(this.#deps.store, project);
    return this.#deps.paths.state(project, own?.config);
  }
}

/** Runs whose end the daemon before this one may not have published. */
export async function endedLately(store: Store): Promise<Changed[]> {
  const last = (await store.history({ kind: "run", limit: 1 })).at(0)?.endedAt ?? 0;
  const ended = await endedRuns(store, { endedFrom: last - SETTLED_MS, limit: SETTLED_MAX });
  return ended.map((state) => ({ id: runAggregate(state.project, state.id), state }));
}

const identityOf = ({ project, identity }: Run): string => `${project}/${identity}`;

const seenAt = ({ endedAt, session }: Run): number => endedAt ?? session?.lastSeen ?? 0;
