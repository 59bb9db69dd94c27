// The hook of a run under the field names that scripts read: published as a file and carried by signals.
import { oneLine } from "../../lib/one-line.ts";
import type { Run } from "./run.ts";
import { refOf } from "./work.ts";

export type HookRecord = {
  identity_name: string;
  current_bead: string;
  current_node: string | null;
  work_phase: string;
  work_summary: string;
  last_checkpoint_at: string | null;
  files_modified: string[];
  tests_status: string;
  resumption_instructions: string;
  status: string;
  session_id: string | null;
  epoch: number;
  branch: string;
  phase: string | null;
  updated_at: string;
};

export function hookRecord(run: Run): HookRecord {
  const { hook, session } = run;
  return {
    identity_name: run.identity,
    current_bead: refOf(run),
    current_node: null,
    work_phase: hook.workPhase,
    work_summary: hook.summary,
    last_checkpoint_at: hook.checkpointAt === undefined ? null : iso(hook.checkpointAt),
    files_modified: hook.files,
    tests_status: hook.tests,
    resumption_instructions: hook.instructions ?? resumeLine(run),
    status: hook.status,
    session_id: session?.id ?? null,
    epoch: run.epoch,
    branch: run.branch,
    phase: run.phase?.phase ?? null,
    updated_at: iso(hook.updatedAt),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/** The words of AC-2.3, in a prompt as in the record. */
export const resumeLine = ({ hook }: Run): string =>
  `Resume from phase: ${hook.workPhase}, last working on: ${oneLine(hook.summary)}`;
