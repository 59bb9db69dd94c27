// States of living aggregates as they were last parsed or saved, by their version: one that has not
// changed since is not read and parsed again. A version that was rolled back is written again before
// it can be asked for, and what is written is kept in place of what was.
import type { AggregateId } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";

/** Of the texts; parsed they take a few times as much. */
const LENGTH_MAX = 8_000_000;

/** A project without its backlog is kept beside the whole one. */
type Key = AggregateId | `brief ${AggregateId}`;
type Parsed = { version: number; state: AggregateState; length: number };

export class ParsedStates {
  /** Those used last at the end. */
  readonly #kept = new Map<Key, Parsed>();
  #length = 0;

  get(id: Key, version: number): AggregateState | undefined {
    const found = this.#kept.get(id);
    if (found?.version !== version) return undefined;
    this.#kept.delete(id);
    this.#kept.set(id, found);
    return found.state;
  }

  keep(id: Key, parsed: Parsed): void {
    this.#forget(id);
    if (parsed.length > LENGTH_MAX) return;
    this.#kept.set(id, parsed);
    this.#length += parsed.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= LENGTH_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(id: Key): void {
    this.#length -= this.#kept.get(id)?.length ?? 0;
    this.#kept.delete(id);
  }
}
