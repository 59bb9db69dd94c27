// A request to the vault as it was written: its form is checked and bounded here, nothing else.
import { readVaultAction, RISKS, type Risk, type VaultAction } from "./vault-action.ts";

export type VaultAsk = {
  id: string;
  what: string;
  risk: Risk;
  reversible: boolean;
  action: VaultAction;
};

const ID = /^[A-Za-z0-9][\w.-]{0,79}$/;
const WHAT_MAX = 500;

/** Undefined where a field is missing or wrong. */
export function readAsk(fields: Record<string, unknown>): VaultAsk | undefined {
  const { id, what, risk = "low", reversible = false } = fields;
  if (typeof id !== "string" || !ID.test(id)) return undefined;
  if (typeof what !== "string" || what.trim() === "" || what.length > WHAT_MAX) return undefined;
  const known = RISKS.find((one) => one === risk);
  if (known === undefined || typeof reversible !== "boolean") return undefined;
  const action = readVaultAction(fields["action"]);
  return action === undefined
    ? undefined
    : { id, what: what.trim(), risk: known, reversible, action };
}
