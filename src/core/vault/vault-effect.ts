// What the vault wants done.
import type { VaultAction } from "./vault-action.ts";

/**
 * → vault-firing-begun, then vault-fired. Found begun without an outcome, it is never carried out
 * again: then it is unknown whether it happened.
 */
export type VaultEffect = {
  kind: "fire-vault";
  item: string;
  attempt: number;
  /** The payload that was approved. */
  hash: string;
  action: VaultAction;
};
