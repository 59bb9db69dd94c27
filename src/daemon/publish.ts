// Keeps the published copies of the state up to date after every commit (design §3). They are
// derived: what a crash leaves behind is written again at the next start.
import { join } from "node:path";
import { projectAggregate, type AggregateId, type ProjectName } from "../core/ids.ts";
import type { AggregateState } from "../core/step.ts";
import type { Clock } from "../ports/clock.ts";
import type { Publisher } from "../ports/publisher.ts";
import type { Store } from "../ports/store.ts";
import type { Paths } from "./paths.ts";
import { copiesOfRun, json, type Copy } from "./run-copies.ts";
import { queueView } from "./views/queue.ts";

export type Publish = {
  /** These changed; their copies follow soon. */
  changed(ids: AggregateId[]): void;
  /** Resolves when the copy of this aggregate is on disk. */
  flush(id: AggregateId): Promise<void>;
};

export function createPublish(deps: {
  store: Store;
  publisher: Publisher;
  clock: Clock;
  paths: Paths;
  onError: (error: unknown) => void;
}): Publish {
  const written = new Map<string, string>();
  const underWay = new Map<AggregateId, Promise<void>>();
  const waiting = new Map<AggregateId, Promise<void>>();

  /** One write at a time per aggregate; all changes during a write lead to one more. */
  function flush(id: AggregateId): Promise<void> {
    const known = waiting.get(id);
    if (known !== undefined) return known;
    const next = (underWay.get(id) ?? Promise.resolve()).then(() => {
      waiting.delete(id);
      return write(id);
    });
    waiting.set(id, next);
    const settled = next.catch(() => undefined);
    underWay.set(id, settled);
    settled
      .then(() => {
        if (underWay.get(id) === settled) underWay.delete(id);
      })
      .catch(deps.onError);
    return next;
  }

  async function write(id: AggregateId): Promise<void> {
    const stored = await deps.store.load(id);
    if (stored === undefined) return;
    for (const copy of await copiesOf(stored.state)) {
      if (written.get(copy.path) === copy.content) continue;
      await deps.publisher.publish(copy.path, copy.content);
      written.set(copy.path, copy.content);
    }
  }

  async function copiesOf(state: AggregateState): Promise<Copy[]> {
    if (state.kind === "project" || state.kind === "mail" || state.kind === "formula") return [];
    if (state.kind === "run")
      return copiesOfRun(state, { paths: deps.paths, now: deps.clock.now() });
    const folder = await stateFolder(state.project);
    return [{ path: join(folder, "merge-queue.json"), content: json(queueView(state, deps)) }];
  }

  async function stateFolder(project: ProjectName): Promise<string> {
    const stored = await deps.store.load(projectAggregate(project));
    const own = stored?.state.kind === "project" ? stored.state.config?.stateDir : undefined;
    return own ?? deps.paths.state(project);
  }

  return {
    changed: (ids) => {
      for (const id of ids) flush(id).catch(deps.onError);
    },
    flush,
  };
}
