// Carries out what the vault let through: requests and programs whose effect Pawl cannot take back.
//
// Contract. Called at most once per approval, and never again where its outcome is not known. The
// outcome never says "unsent" unless nothing outside can have noticed; an error that is thrown
// counts as "unknown". Secrets are named in the action and put in only here: they are in no
// outcome, no log, no argv. `key` is the same for all tries of one item, for receivers that fold.
import type { VaultAction } from "../core/vault/vault-action.ts";
import type { FiringOutcome } from "../core/vault/item.ts";

export type FiringRequest = {
  key: string;
  /** A folder of its own, where a program finds itself. */
  folder: string;
  /** Names of the secrets that may be put in. */
  secrets: readonly string[];
  action:
    | Extract<VaultAction, { kind: "webhook" | "command" }>
    /** With the text of the program as it is on the target. */
    | (Extract<VaultAction, { kind: "program" }> & { script: string });
};

export type Firing = { carryOut(request: FiringRequest): Promise<FiringOutcome> };
