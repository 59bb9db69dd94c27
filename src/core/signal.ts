// Typed events between Pawl's parts that people and scripts may follow (`pawl signals`).
// Scripts know the names, and the journal keeps them: they do not change.
import type { ProjectName, RunId } from "./ids.ts";

export const SIGNAL_KINDS = [
  "AGENT_REGISTERED",
  "AGENT_CRASHED",
  "AGENT_TERMINATED",
  "HOOK_UPDATED",
  "MERGE_READY",
  "MERGE_CONFLICT",
  "MERGE_COMPLETE",
  "CONTEXT_WARNING",
  "HANDOFF_REQUESTED",
  "HANDOFF_COMPLETE",
  "ORCHESTRATOR_STUCK",
  "WITNESS_PING",
] as const;

export type SignalKind = (typeof SIGNAL_KINDS)[number];

export type Signal = {
  kind: SignalKind;
  at: number;
  project: ProjectName;
  identity: string | undefined;
  run: RunId | undefined;
  detail: Record<string, unknown>;
};
