// Notices a wall clock that jumped (a laptop that slept), and moves every deadline by the gap instead
// of letting it fire. That comes before the next event: a wait that begins after the jump is reckoned
// in the new time already, and would be moved by a gap in which it did not wait.
//
// How far the two clocks are apart is kept in the journal, so that a daemon notices on its start that
// the machine slept while no daemon ran.
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Input, WholeLoop } from "./loop.ts";

/** A wall clock that is this far ahead of the steady one jumped. */
const JUMP_MS = 30_000;

/** How far the wall clock was ahead of the steady one in this run of the machine. */
type Anchor = { boot: string; aheadMs: number };
const COLLECTION = "clock";
const KEY = "anchor";

type ClockJumpsDeps = {
  store: Store;
  clock: Clock;
  loop: WholeLoop;
  onError: (error: unknown) => void;
};

export class ClockJumps {
  readonly #deps: ClockJumpsDeps;
  #aheadMs: number;
  /** How often the anchor was written; undefined until it was read. */
  #version: number | undefined;
  /** How far deadlines are still to be moved: a journal that cannot be written now loses no gap. */
  #gapMs = 0;
  #moving: Promise<void> | undefined;

  constructor(deps: ClockJumpsDeps) {
    this.#deps = deps;
    this.#aheadMs = aheadOf(deps.clock);
  }

  /** The loop for everyone else: no event comes between a jump and the move of the deadlines. */
  get loop(): WholeLoop {
    const { loop } = this.#deps;
    return {
      submit: (input) => this.#after(() => loop.submit(input)),
      submitAll: (inputs) => this.#after(() => loop.submitAll(inputs)),
    };
  }

  /** At once where no clock jumped: events that come together share a commit. */
  #after<T>(submit: () => Promise<T>): Promise<T> {
    const moving = this.settle();
    return moving === undefined ? submit() : moving.then(submit);
  }

  /** Rejects where the journal cannot be written. */
  settle(): Promise<void> | undefined {
    this.#gapMs += this.#jumped();
    if (this.#gapMs !== 0 || this.#version === undefined)
      this.#moving ??= this.#move().finally(() => (this.#moving = undefined));
    return this.#moving;
  }

  /** The clock may jump again meanwhile. */
  async #move(): Promise<void> {
    this.#version ??= await this.#readAnchor();
    while (this.#gapMs !== 0) {
      const gapMs = this.#gapMs;
      await this.#moveBy(gapMs, this.#version);
      this.#version = await this.#keepAnchor();
      this.#gapMs -= gapMs;
    }
  }

  /** A jump while no daemon ran is a gap like any other. Without an anchor there is nothing to compare. */
  async #readAnchor(): Promise<number> {
    const { store, clock } = this.#deps;
    const kept = await store.records.get<Anchor>(COLLECTION, KEY);
    if (kept === undefined || clock.boot === "" || kept.value.boot !== clock.boot)
      return this.#keepAnchor();
    const gapMs = this.#aheadMs - kept.value.aheadMs;
    if (gapMs < -JUMP_MS) return this.#keepAnchor();
    if (gapMs > JUMP_MS) this.#gapMs += gapMs;
    return kept.version;
  }

  async #keepAnchor(): Promise<number> {
    const { store, clock } = this.#deps;
    const anchor: Anchor = { boot: clock.boot, aheadMs: this.#aheadMs };
    return store.transaction(async ({ records }) => {
      await records.put(COLLECTION, KEY, anchor);
      return (await records.get<Anchor>(COLLECTION, KEY))?.version ?? 0;
    });
  }

  /** How far the wall clock went ahead of the steady one since the last look. */
  #jumped(): number {
    const aheadMs = aheadOf(this.#deps.clock);
    const gapMs = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    return gapMs > JUMP_MS ? gapMs : 0;
  }

  /**
   * In one transaction: a crash moves all of them or none. By the version of the anchor nothing is moved
   * twice, also where a daemon is killed before it keeps the new one.
   */
  async #moveBy(gapMs: number, version: number): Promise<void> {
    const { store, clock, loop } = this.#deps;
    const event = { kind: "clock-jumped", at: clock.now(), gapMs } as const;
    const inputs = (await store.aggregates({ isBrief: true })).map(({ id }) => ({
      to: id,
      event,
      key: `clock:${version}:${id}`,
    }));
    try {
      await loop.submitAll(inputs);
    } catch (error) {
      if (error instanceof OperationError) throw error;
      for (const input of inputs) await this.#tell(input);
    }
  }

  /** One aggregate that cannot be stepped, by a bug, must not keep all others from their deadlines. */
  async #tell(input: Input): Promise<void> {
    try {
      await this.#deps.loop.submit(input);
    } catch (error) {
      if (error instanceof OperationError) throw error;
      this.#deps.onError(error);
    }
  }
}

const aheadOf = (clock: Clock): number => clock.now() - clock.monotonicMs();
