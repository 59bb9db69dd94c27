// What gates want done.
import type { GateSpec } from "./spec.ts";

export type GateEffect =
  /** → gate-observed */
  | { kind: "look-at-gate"; gate: string; look: number; spec: GateSpec }
  /** → (nothing) The folder of its commands goes. */
  | { kind: "clear-gate"; gate: string };
