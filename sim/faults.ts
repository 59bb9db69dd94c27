// Decides when something goes wrong. Each kind of fault draws from a generator of its own, so that
// switching one off does not move the others. While `on` is false, nothing goes wrong any more.
import { createPrng, type Prng } from "../src/lib/prng.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import { FAULT_NAMES, type FaultRates } from "./fault-rates.ts";

const SECOND_MS = 1000;
/** Longer than all tries of an effect together. */
const OUTAGE_MAX_MS = 5 * 3600 * SECOND_MS;

/** Reads of these are asked so often that a failure of each would drown the story. */
const QUIET_READS = new Set([
  ..."terminal.panes terminal.screens terminal.cpu terminal.probe".split(" "),
  ..."session-files.read workspaces.stamp".split(" "),
]);
/** Real calls that are never refused for good because of something a person could fix. */
const NEVER_REFUSED = new Set(["terminal.end", "git.fetchTarget", "publisher.publish"]);

/** What is known of a call before it is made: it is made hundreds of thousands of times. */
export type Call = { name: string; port: string; isQuietRead: boolean; isNeverRefused: boolean };

export function callOf(port: string, method: string): Call {
  const name = `${port}.${method}`;
  const isQuietRead = QUIET_READS.has(name);
  return { name, port, isQuietRead, isNeverRefused: NEVER_REFUSED.has(name) };
}

export class Faults {
  on = true;
  readonly #rates: FaultRates;
  readonly #draws: Record<keyof FaultRates, Prng>;
  readonly #lengths: Prng;
  readonly #outages = new Map<string, number>();
  /** Calls that are refused for good the next time. */
  readonly #refused = new Set<string>();
  /** Calls that take long the next time. */
  readonly #slowed = new Set<string>();
  #fullUntil = -1;

  constructor(seed: number, rates: FaultRates) {
    this.#rates = rates;
    this.#lengths = createPrng(seed);
    // By its name, so that a new kind of fault does not move the others of a known seed.
    const draws = FAULT_NAMES.map((name) => [name, createPrng(seed * 31 + hash(name))] as const);
    this.#draws = Object.fromEntries(draws) as Record<keyof FaultRates, Prng>;
  }

  /** Does this fault happen now? */
  strikes(name: keyof FaultRates): boolean {
    // A regression that is older than the fault does not name it.
    const rate = this.#rates[name] ?? 0;
    if (rate === 0 || !this.on) return false;
    return this.#draws[name].chance(rate);
  }

  rate(name: keyof FaultRates): number {
    return this.on ? (this.#rates[name] ?? 0) : 0;
  }

  /** A length of time, short ones more often than long ones. */
  lengthMs(maxMs: number): number {
    return Math.ceil(this.#lengths.next() ** 3 * maxMs);
  }

  latencyMs({ name, isQuietRead }: Call): number {
    if (name === "git.fetchBranch" && this.strikes("fetchSlow")) {
      return this.lengthMs(60 * SECOND_MS);
    }
    // Long ones as often as short ones: what cancels the fetch comes before the branch is touched.
    if (name === "git.fetchTarget" && this.strikes("fetchSlow")) {
      return Math.ceil(this.#lengths.next() * 60 * SECOND_MS);
    }
    if (name === "git.land" && this.strikes("landSlow")) return this.lengthMs(60 * SECOND_MS);
    // Longer saves are followed by a pause that other checkers take for a forgotten save.
    if (this.#slowed.delete(name)) return this.lengthMs(10 * SECOND_MS);
    if (!this.strikes(isQuietRead ? "readSlow" : "portSlow")) return 0;
    return this.lengthMs(60 * SECOND_MS);
  }

  portError(call: Call, nowMs: number): OperationError | undefined {
    if (!this.on || call.isQuietRead) return undefined;
    if (this.#isOut(call.port, nowMs)) {
      return broken(call.name, "it has been down for a while", true);
    }
    if (this.#refused.delete(call.name)) return broken(call.name, "permission denied", false);
    if (this.strikes("portError")) return broken(call.name, "the connection was refused", true);
    if (call.isNeverRefused) return undefined;
    if (this.strikes("portRefusal")) return broken(call.name, "permission denied", false);
    return undefined;
  }

  /** All of this port fails from now on, for a while. */
  breakDown(port: string, nowMs: number): void {
    this.#outages.set(port, nowMs + this.lengthMs(OUTAGE_MAX_MS));
  }

  refuseNext(name: string): void {
    this.#refused.add(name);
  }

  slowNext(name: string): void {
    this.#slowed.add(name);
  }

  #isOut(port: string, nowMs: number): boolean {
    if ((this.#outages.get(port) ?? -1) > nowMs) return true;
    if (!this.strikes("outage")) return false;
    this.breakDown(port, nowMs);
    return true;
  }

  lostAnswer({ name, isQuietRead }: Call): OperationError | undefined {
    if (isQuietRead || !this.strikes("portLostAnswer")) return undefined;
    return broken(name, "no answer in time", true);
  }

  /** The journal's disk is full for a while, now and then. */
  storeFull(nowMs: number): OperationError | undefined {
    if (!this.on) return undefined;
    if (nowMs > this.#fullUntil) {
      if (!this.strikes("storeFull")) return undefined;
      this.#fullUntil = nowMs + this.lengthMs(15 * 60 * SECOND_MS);
    }
    return new OperationError("cannot write the simulated journal: the disk is full", {
      code: "store-full",
      hint: "make room",
      retryable: true,
    });
  }
}

function broken(call: string, why: string, retryable: boolean): OperationError {
  // The stack of a simulated failure is not needed, and making it takes most of the time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new OperationError(`cannot call ${call}: ${why} (simulated)`, {
    code: retryable ? "unreachable" : "refused",
    hint: "wait for the end of the simulation",
    retryable,
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

function hash(text: string): number {
  let value = 0;
  for (const letter of text) value = (value * 33 + letter.charCodeAt(0)) % 1_000_003;
  return value;
}
