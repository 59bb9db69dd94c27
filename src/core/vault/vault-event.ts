// Facts about items of the vault.
import type { AggregateId, ProjectName } from "../ids.ts";
import type { FiringOutcome, VaultRequest } from "./item.ts";
import type { Decision } from "./policy.ts";

export type VaultEvent =
  /** To the project, whose configuration decides what follows. */
  | { kind: "vault-requested"; at: number; request: VaultRequest }
  /** From the project to the item. */
  | {
      kind: "vault-filed";
      at: number;
      project: ProjectName;
      request: VaultRequest;
      decision: Decision;
      expiresMs: number;
      /** Who may decide by a comment on the issue it is about. */
      operators?: string[];
    }
  /** A gate waits for the item's end. */
  | { kind: "vault-awaited"; at: number; project: ProjectName; item: string; gate: AggregateId }
  /** By an operator who has seen the payload with this hash. */
  /** `comment`: said on the forge, perhaps before it was known that it may have happened. */
  | { kind: "vault-approved"; at: number; by: string; hash: string; comment?: true }
  | { kind: "vault-rejected"; at: number; by: string; reason: string }
  /** An operator has checked whether an action with an unknown outcome happened. */
  | { kind: "vault-confirmed"; at: number; by: string; happened: boolean; note: string }
  /** The outside is about to be touched. */
  | { kind: "vault-firing-begun"; at: number; attempt: number }
  | { kind: "vault-fired"; at: number; attempt: number; outcome: FiringOutcome };
