// Facts about gates. What a gate waited for outside comes as an observation; mail and the vault
// tell it themselves.
import type { AggregateId, ProjectName } from "../ids.ts";
import type { Waiter } from "./gate.ts";
import type { GateSpec } from "./spec.ts";

export type GateEvent =
  | {
      kind: "gate-requested";
      at: number;
      project: ProjectName;
      id: string;
      key: string;
      spec: GateSpec;
      title: string;
      by: string;
      waiters: Waiter[];
      /** A person is asked when it is still open after so long. */
      escalateMs: number | undefined;
    }
  /** A look at what it waits for. `over`: it can never be met any more. */
  | {
      kind: "gate-observed";
      at: number;
      look: number;
      met: boolean;
      over: boolean;
      text: string;
    }
  /** From the mailbox or the vault: what was waited for has come, or was refused. */
  | {
      kind: "gate-told";
      at: number;
      by: string;
      via: "mail" | "vault";
      met: boolean;
      text: string;
    }
  | { kind: "gate-closed"; at: number; by: string; met: boolean; reason: string }
  /** A person who was asked about it wants to be asked again later. */
  | { kind: "gate-put-off"; at: number; by: string }
  /** The gate is no longer needed. */
  | { kind: "gate-withdrawn"; at: number; key: string; why: string }
  /** To the step of a formula that waited, in the transaction that closed the gate. */
  | {
      kind: "gate-passed";
      at: number;
      gate: AggregateId;
      key: string;
      met: boolean;
      reason: string;
    };
