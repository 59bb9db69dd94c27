// The host's own clock: a model that is retried in silence looks like an agent that hangs. While a
// turn is under way, no tool runs and no person is asked, and no token has come for long, the agent
// waits for its model; that is said again every minute, as long as the host lives to say it.
import type { DriverEvent } from "./driver.ts";

const AGAIN_MS = 60_000;

export class SilenceClock {
  readonly #silenceMs: number;
  readonly #onSilence: (silentS: number) => void;
  readonly #tools = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #inTurn = false;
  #isAsking = false;
  /** By a clock that is never set. */
  #heardAt = 0;

  constructor(options: { silenceMs: number; onSilence: (silentS: number) => void }) {
    this.#silenceMs = options.silenceMs;
    this.#onSilence = options.onSilence;
  }

  turnBegan(): void {
    this.#inTurn = true;
    this.#isAsking = false;
    this.#tools.clear();
    this.#hearNow();
  }

  turnEnded(): void {
    this.#inTurn = false;
    clearTimeout(this.#timer);
  }

  hear(event: DriverEvent): void {
    if (!this.#inTurn) return;
    if (event.kind === "tool") {
      if (event.status === "begun") this.#tools.add(event.id);
      else this.#tools.delete(event.id);
    }
    if (event.kind === "question") this.#isAsking = true;
    if (event.kind === "answered") this.#isAsking = false;
    this.#hearNow();
  }

  close(): void {
    this.turnEnded();
  }

  #hearNow(): void {
    this.#heardAt = performance.now();
    this.#wait(this.#silenceMs);
  }

  #wait(durationMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#due(), durationMs);
  }

  #due(): void {
    if (!this.#inTurn) return;
    if (this.#tools.size === 0 && !this.#isAsking) {
      const silent = Math.floor((performance.now() - this.#heardAt) / 1000);
      this.#onSilence(silent);
    }
    this.#wait(Math.min(AGAIN_MS, this.#silenceMs));
  }
}
