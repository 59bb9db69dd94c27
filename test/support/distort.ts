// What a server, an agent or a person may send instead of what was agreed: a valid value with one place
// distorted. Fields go missing, become null or another type, grow huge, or hold words that are unknown.
import fc from "fast-check";

export type Distorted = {
  value: unknown;
  /** Where, e.g. `[0].user.login`. */
  place: string;
  how: How;
};

const HOW = [
  "missing",
  "null",
  "type",
  "huge",
  "unicode",
  "unknown",
  "nested",
  "negative",
] as const;
export type How = (typeof HOW)[number];

/** Every run distorts one place of the value, in one way. */
export const distortion = fc.record({ at: fc.nat(9999), how: fc.constantFrom(...HOW) });
export type Distortion = { at: number; how: How };

const HUGE = "x".repeat(200_000);
const UNICODE = "\u0000\u202e\ud800 👩‍👩‍👧‍👦 ﷽\n\u001b[2J";

export function distort(value: unknown, { at, how }: Distortion): Distorted {
  const copy: { top: unknown } = { top: structuredClone(value) };
  const places = placesIn(copy, "");
  const chosen = places[at % places.length] ?? places[0];
  if (chosen === undefined) return { value, place: "", how };
  const { owner, key, place } = chosen;
  if (how === "missing" && owner !== copy) {
    if (Array.isArray(owner)) owner.splice(Number(key), 1, undefined);
    else delete owner[key];
  } else owner[key] = replaced(owner[key], how);
  return { value: copy.top, place, how };
}

type Owner = Record<string, unknown>;

function placesIn(owner: object, at: string): { owner: Owner; key: string; place: string }[] {
  return Object.entries(owner).flatMap(([key, one]: [string, unknown]) => {
    const place =
      key === "top" && at === "" ? "" : Array.isArray(owner) ? `${at}[${key}]` : `${at}.${key}`;
    const below = typeof one === "object" && one !== null ? placesIn(one, place) : [];
    return [{ owner: owner as Owner, key, place }, ...below];
  });
}

function replaced(value: unknown, how: How): unknown {
  switch (how) {
    case "missing":
    case "null":
      return null;
    case "type":
      return typeof value === "string" ? 7 : typeof value === "number" ? "seven" : "other";
    case "huge":
      return typeof value === "number" ? Number.MAX_VALUE : HUGE;
    case "unicode":
      return UNICODE;
    case "unknown":
      return "a-word-that-is-not-known";
    case "nested":
      return { a: [{ b: null }] };
    case "negative":
      return -1;
  }
}
