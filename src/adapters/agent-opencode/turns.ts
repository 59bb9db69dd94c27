// The turns of a session, as opencode's events tell them: busy, trying again, idle. A turn is the
// host's, who waits for its end, or that of a person at opencode's own screen.
import type { DriverEvent, TurnEnd } from "../shared/agent-host/driver.ts";
import { limitOf, turnEnd, type Status, type TurnError } from "./turn-end.ts";

type TurnsDeps = {
  onEvent: (event: DriverEvent) => void;
  /** Ends the turn under way: opencode would try again for as long as it likes. */
  interrupt: () => void;
  /** Whether there was a prompt without an answer, which has been said again. */
  sayAgain: () => boolean;
  now: () => number;
};

export class Turns {
  readonly #deps: TurnsDeps;
  #isBusy = false;
  /** Settles the turn that the host has asked for. */
  #own: ((end: TurnEnd) => void) | undefined;
  #error: TurnError | undefined;
  /** Why the turn was ended by us. */
  #limit: TurnEnd | undefined;

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The host asks for one; resolves at its end. */
  begin(): Promise<TurnEnd> {
    const { promise, resolve } = Promise.withResolvers<TurnEnd>();
    this.#own = resolve;
    this.#error = undefined;
    this.#limit = undefined;
    return promise;
  }

  refused(reason: string): void {
    this.#settle({ kind: "refused", reason });
  }

  failed(error: TurnError): void {
    this.#error = error;
  }

  hear(status: Status): void {
    const { onEvent, interrupt, now } = this.#deps;
    if (status.type === "retry") {
      this.#limit ??= limitOf(status, now());
      if (this.#limit !== undefined) interrupt();
    }
    if (status.type === "busy" && !this.#isBusy) {
      this.#isBusy = true;
      // An error is told again after its turn.
      this.#error = undefined;
      if (this.#own === undefined) onEvent({ kind: "turn-began" });
    }
    if (status.type === "idle") this.#idle();
  }

  /** Told before a turn has begun too, and twice after one that failed. */
  #idle(): void {
    const isOver = this.#error !== undefined || this.#limit !== undefined;
    if (!isOver && (this.#deps.sayAgain() || !this.#isBusy)) return;
    this.#settle(this.#limit ?? turnEnd(this.#error, this.#deps.now()));
  }

  #settle(end: TurnEnd): void {
    const own = this.#own;
    this.#isBusy = false;
    this.#own = undefined;
    this.#error = undefined;
    this.#limit = undefined;
    if (own === undefined) this.#deps.onEvent({ kind: "turn-ended", end });
    else own(end);
  }
}
