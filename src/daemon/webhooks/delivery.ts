// Whether the sender of a delivery knows the secret, and what it is about. Only headers and the
// body's HMAC are checked: a delivery is a hint to look, and its content is never trusted.
import { timingSafeEqual } from "node:crypto";

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What is to be looked at: the target moved, a check said something, or anything else. */
export type Hint = "target" | "checks" | "issues";

const SIGNATURES = ["x-hub-signature-256", "x-gitea-signature", "x-forgejo-signature"];
const DELIVERIES = ["x-github-delivery", "x-gitea-delivery", "x-forgejo-delivery"];
const EVENTS = ["x-github-event", "x-gitea-event", "x-forgejo-event"];
const CHECKS: ReadonlySet<string> = new Set([
  "status",
  "check_run",
  "check_suite",
  "workflow_run",
  "workflow_job",
]);

/** `digest`: the HMAC-SHA256 of the body with our secret. */
export function isSigned(headers: Headers, digest: Buffer): boolean {
  const given = valueOf(headers, SIGNATURES)?.replace(/^sha256=/, "");
  if (given === undefined || !/^[0-9a-fA-F]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, "hex"), digest);
}

export const deliveryId = (headers: Headers): string | undefined => valueOf(headers, DELIVERIES);

export function hintOf(headers: Headers): Hint {
  const event = valueOf(headers, EVENTS) ?? "";
  if (CHECKS.has(event)) return "checks";
  return event === "push" || event === "create" || event === "delete" ? "target" : "issues";
}

function valueOf(headers: Headers, names: string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The last ones, so that a delivery that is sent again leads to nothing. */
export class SeenDeliveries {
  readonly #seen = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** False where it was seen before. */
  take(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > this.#max && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}
