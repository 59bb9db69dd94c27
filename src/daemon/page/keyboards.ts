// Who types into which run. Typing holds the run in the name of the browser. The journal notes what is
// held for that alone, so that a daemon that dies meanwhile leaves no run held for a browser that has
// no keyboard any more.
import { runAggregate, type AggregateId, type ProjectName, type RunId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { Factory } from "../host/factory.ts";

const COLLECTION = "page-keyboards";

export type KeyboardPlace = Pick<Factory, "store" | "app">;

/** `before`: who held the run before this browser did. */
type Noted = { project: ProjectName; run: RunId; by: string; before: string | null };

export class Keyboards {
  readonly #place: KeyboardPlace;
  readonly #owners = new Map<AggregateId, object>();

  constructor(place: KeyboardPlace) {
    this.#place = place;
  }

  ownerOf(id: AggregateId): object | undefined {
    return this.#owners.get(id);
  }

  /** Gives what speaks against it. */
  async take(
    { project, id, held }: Pick<Run, "project" | "id" | "held">,
    { owner, by }: { owner: object; by: string },
  ): Promise<string | undefined> {
    const key = runAggregate(project, id);
    this.#owners.set(key, owner);
    const noted: Noted = { project, run: id, by, before: held?.by ?? null };
    await this.#place.store.transaction(({ records }) => records.put(COLLECTION, key, noted));
    return this.#command(noted, { verb: "hold", by });
  }

  /** Another person has released or taken the run: it is theirs. */
  async lose(id: AggregateId): Promise<void> {
    this.#owners.delete(id);
    await this.#forget(id);
  }

  /** What a person held before stays held; what was released meanwhile stays released. */
  async give(id: AggregateId): Promise<string | undefined> {
    this.#owners.delete(id);
    const noted = await this.#place.store.records.get<Noted>(COLLECTION, id);
    if (noted === undefined) return undefined;
    const refused = await this.#undo(id, noted.value);
    await this.#forget(id);
    return refused;
  }

  /** What browsers held when the last daemon died. */
  async giveAllLeft(): Promise<void> {
    for (const { key } of await this.#place.store.records.list<Noted>(COLLECTION)) {
      await this.give(key as AggregateId);
    }
  }

  async #undo(id: AggregateId, noted: Noted): Promise<string | undefined> {
    const { by, before } = noted;
    const stored = await this.#place.store.load(id);
    const held = stored?.state.kind === "run" ? stored.state.held : undefined;
    if (held?.by !== by || before === by) return undefined;
    if (before === null) return this.#command(noted, { verb: "release", by });
    return this.#command(noted, { verb: "hold", by: before });
  }

  #forget(id: AggregateId): Promise<void> {
    return this.#place.store.transaction(({ records }) => records.delete(COLLECTION, id));
  }

  /** As the command line does it. Gives what speaks against it. */
  async #command(
    { project, run }: Noted,
    { verb, by }: { verb: "hold" | "release"; by: string },
  ): Promise<string | undefined> {
    const path = `/v1/runs/${encodeURIComponent(run)}/${verb}`;
    const url = `http://pawl${path}?project=${encodeURIComponent(project)}`;
    const headers = { "content-type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body: JSON.stringify({ by }) });
    const answer = await this.#place.app.fetch(request);
    return answer.ok ? undefined : ((await answer.json()) as { error: Error }).error.message;
  }
}
