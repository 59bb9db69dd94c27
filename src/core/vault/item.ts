// An item of the vault: one dangerous action that was requested.
//
//   expected ─> waiting ─(approved)─> firing ─(begun)─> firing ──────> ended(fired)
//                  │                    ^  └─ unsent ─> resting ─┐
//                  │                    └────────────────────────┘
//                  │                           └─ unknown outcome ─> unsure ─(approved again)─> firing
//                  └──> ended(rejected · denied · expired)             └──> ended(fired · failed · rejected)
//
// expected: a gate waits for it, and it was not requested yet.
// waiting:  an operator must decide, before the deadline.
// firing:   an approval of exactly this payload is in the journal, and the effect that carries it out
//           in the outbox. `begun` is journaled right before the outside is touched: a daemon that
//           finds it set and does not know the outcome must never touch the outside again.
// resting:  it was provably not sent; the same approval fires it again, a few times.
// unsure:   it may have happened. Only a person can say whether it did, or have it done again.
// ended:    nothing follows any more.
import type { AggregateId, ProjectName, RunId } from "../ids.ts";
import type { Risk, VaultAction } from "./vault-action.ts";

export type VaultRequest = {
  id: string;
  /** One sentence for the person who decides. */
  what: string;
  risk: Risk;
  reversible: boolean;
  action: VaultAction;
  /** An identity, or the operator who asked. */
  by: string;
  run?: RunId;
  issue?: number;
};

/** Good for this payload only, and not for ever. */
export type Approval = { by: string; at: number; hash: string; until: number };

export type VaultStage =
  | { kind: "expected" }
  | { kind: "waiting"; deadline: number }
  | { kind: "firing"; approval: Approval; attempt: number; begun: boolean }
  | { kind: "resting"; approval: Approval; attempt: number; retryAt: number; why: string }
  | { kind: "unsure"; attempt: number; why: string; deadline: number }
  | { kind: "ended"; end: VaultEnd; by: string; at: number; text: string };

/** Every stage this version knows. */
export const VAULT_STAGES: ReadonlySet<string> = new Set<VaultStage["kind"]>([
  "expected",
  "waiting",
  "firing",
  "resting",
  "unsure",
  "ended",
]);

export type VaultEnd = "fired" | "rejected" | "denied" | "expired" | "failed";

/** What carrying it out came to. */
export type FiringOutcome =
  | { kind: "done"; detail: string }
  /** Provably before any effect. */
  | { kind: "unsent"; why: string }
  /** It may have happened. */
  | { kind: "unknown"; why: string };

export type VaultItem = {
  kind: "vault";
  project: ProjectName;
  id: string;
  request: VaultRequest | undefined;
  /** SHA-256 of the canonical action. */
  hash: string;
  requestedAt: number;
  expiresMs: number;
  stage: VaultStage;
  /** Gates that wait for its end. */
  waiters: AggregateId[];
  log: { at: number; text: string }[];
  /** The comment that asks on the issue: what operators say after it decides. */
  posted?: string;
};

export const isEnded = ({ stage }: VaultItem): boolean => stage.kind === "ended";

/** Pawl does nothing about it before a person has. */
export const asksPerson = ({ stage }: VaultItem): boolean =>
  stage.kind === "waiting" || stage.kind === "unsure";

export function vaultDeadline({ stage }: VaultItem): number | undefined {
  switch (stage.kind) {
    case "waiting":
    case "unsure":
      return stage.deadline;
    case "resting":
      return Math.min(stage.retryAt, stage.approval.until);
    default:
      return undefined;
  }
}
