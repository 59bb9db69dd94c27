// A ticket opens one WebSocket, once, within ten seconds, for the device and the run that it was given
// for: a handshake carries no key, and a cookie alone is sent by other ports of this host, too.
import { randomBytes } from "node:crypto";
import type { Begun } from "./terminals.ts";

const LIFE_MS = 10_000;
const TICKETS_MAX = 100;

type Given = { device: string; project: string; ref: string; begun?: Begun };

export class Tickets {
  readonly #now: () => number;
  readonly #given = new Map<string, Given & { expiresAt: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  give(given: Given): string {
    const [oldest] = this.#given.keys();
    if (this.#given.size >= TICKETS_MAX && oldest !== undefined) this.#given.delete(oldest);
    const ticket = randomBytes(24).toString("base64url");
    this.#given.set(ticket, { ...given, expiresAt: this.#now() + LIFE_MS });
    return ticket;
  }

  /** Undefined where it is unknown, was used before, or is too old. */
  use(ticket: string): Given | undefined {
    const given = this.#given.get(ticket);
    this.#given.delete(ticket);
    if (given === undefined || given.expiresAt <= this.#now()) return undefined;
    const { expiresAt: _, ...asked } = given;
    return asked;
  }
}
