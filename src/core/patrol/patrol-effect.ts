// What a patrol wants done. Each is harmless when repeated.
import type { Incident, OrphanFact } from "./orphan.ts";

export type PatrolEffect =
  /** → component-restarted */
  | { kind: "restart-component"; component: string }
  /** → (nothing) The outside is looked at now. */
  | { kind: "look-outside" }
  /** → (nothing) The daemon that began then ends, and its keeper starts another; agents keep running. */
  | { kind: "renew-daemon"; since: number }
  /** → leftovers-fixed. By the doctor's own checks. */
  | { kind: "fix-leftovers" }
  /** → orphan-settled. `incident`: an issue is filed, because work may be lost. */
  | { kind: "settle-orphan"; orphan: OrphanFact; incident: Incident | undefined };
