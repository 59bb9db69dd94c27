// Who a letter may go to: the operator, a patrol, a role (its first agent gets the letter) or an identity.
import { ROLES } from "../task.ts";

export const OPERATOR = "operator";
export const DEACON = "deacon";

export type Address =
  | { kind: "operator" }
  | { kind: "patrol"; name: typeof DEACON }
  | { kind: "role"; role: string }
  | { kind: "identity"; identity: string }
  /** A letter to it is what it waits for. */
  | { kind: "gate"; gate: string };

/** Undefined where the text is no valid address. */
export function addressOf(text: string): Address | undefined {
  const word = text.trim();
  if (word === OPERATOR) return { kind: "operator" };
  if (word === DEACON) return { kind: "patrol", name: DEACON };
  if (ROLES.some((role) => role === word)) return { kind: "role", role: word };
  const gate = /^gate:([A-Za-z0-9][A-Za-z0-9._-]{0,150})$/.exec(word)?.[1];
  if (gate !== undefined) return { kind: "gate", gate };
  const dash = word.indexOf("-");
  const isIdentity = ROLES.some((role) => role === word.slice(0, dash));
  return isIdentity && /^[a-z]+-[A-Za-z0-9._-]{1,100}$/.test(word)
    ? { kind: "identity", identity: word }
    : undefined;
}

export const ADDRESS_HINT = `write to ${OPERATOR}, ${DEACON}, a role (${ROLES.join(", ")}) or an identity such as dev-42`;

/** Whether this worker is who is meant. */
export function reaches(to: string, worker: { identity: string; role: string }): boolean {
  const address = addressOf(to);
  if (address?.kind === "role") return address.role === worker.role;
  return address?.kind === "identity" && address.identity === worker.identity;
}
