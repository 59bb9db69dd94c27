// The hook of a run: the durable record of what its agent works on, under the field names that
// scripts read (published as a file and carried by signals), and how events change it.
import { oneLine } from "../../lib/one-line.ts";
import { nodeOf, refOf, titleOf, type Run } from "./run.ts";
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import { advances, phaseOfTool, withFiles, type Hook, type WorkPhase } from "../session/hook.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { announce } from "./tell.ts";
import type { Phase } from "./phase.ts";

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
    current_node: nodeOf(run) ?? null,
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

// Keeps a run's hook: what its agent is working on, derived from the strongest evidence at hand (its
// own word, then its tools, phases, checks and files). Asked after every event.

type SpoolOf<K extends SpoolEvent["kind"]> = Extract<SpoolEvent, { kind: K }>;

/** Written where something changed; told to others where a successor would resume differently. */
function keep(run: Run, hook: Hook, context: Context): Run {
  const before = run.hook;
  if (before === hook) return run;
  const same = (Object.keys(hook) as (keyof Hook)[]).every((name) => before[name] === hook[name]);
  if (same) return run;
  const next: Run = { ...run, hook: { ...hook, updatedAt: context.at } };
  const told = (["workPhase", "tests", "status", "instructions"] as const).some(
    (name) => before[name] !== hook[name],
  );
  if (told) announce(next, { kind: "HOOK_UPDATED", detail: hookRecord(next) }, context);
  return next;
}

/** The agent's own word stands until evidence shows something else. */
export function hookSet(run: Run, said: SpoolOf<"hook">, context: Context): Run {
  const { hook } = run;
  const next = withFiles(
    {
      ...hook,
      workPhase: said.workPhase ?? hook.workPhase,
      summary: said.summary ?? hook.summary,
      tests: said.tests ?? hook.tests,
      instructions: said.instructions ?? hook.instructions,
    },
    said.files,
  );
  return keep(run, next, context);
}

export function toolUsed(
  run: Run,
  { tool, summary, file }: SpoolOf<"tool">,
  context: Context,
): Run {
  const workPhase = phaseOfTool(tool, summary);
  const moved = moveTo(run.hook, workPhase);
  const named = summary === "" ? moved : { ...moved, summary };
  return keep(run, file === undefined ? named : withFiles(named, [file]), context);
}

const moveTo = (hook: Hook, to: WorkPhase | undefined): Hook =>
  to !== undefined && advances(hook.workPhase, to) ? { ...hook, workPhase: to } : hook;

const OF_PHASE: Record<Phase, WorkPhase | undefined> = {
  awaiting_ci: "testing",
  awaiting_review: "completion",
  done: "completion",
  escalate: undefined,
  failed: undefined,
};

/** What an event showed about the work, besides what the agent's hooks say. */
export function followHook(
  before: Run,
  run: Run,
  happened: { event: Event; context: Context },
): Run {
  const { event, context } = happened;
  const seen = keep(run, afterEvent(before, run, event), context);
  return keep(seen, withStatus(seen), context);
}

function afterEvent(before: Run, run: Run, event: Event): Hook {
  const { hook } = run;
  switch (event.kind) {
    case "issue-claimed":
      return hook.summary === titleOf(before) ? { ...hook, summary: event.issue.title } : hook;
    case "phase-observed":
      if (run.phase === undefined || run.phase === before.phase) return hook;
      return moveTo(hook, OF_PHASE[run.phase.phase]);
    case "check-finished":
      if (run.check === before.check) return hook;
      if (event.outcome.kind === "passed") return { ...hook, tests: "passed" };
      return event.outcome.kind === "failed"
        ? { ...hook, tests: "failed", workPhase: "implementation" }
        : hook;
    case "checkpoint-made":
      return event.outcome.kind === "absent" ? hook : saved(hook, event.outcome, event.at);
    case "branch-fetched":
      return withFiles(event.ahead > 0 ? begun(hook) : hook, event.dirty);
    default:
      return hook;
  }
}

/** New content means that the agent is writing. */
function saved(
  hook: Hook,
  outcome: { kind: "saved" | "unchanged"; files?: string[] },
  at: number,
): Hook {
  const first = hook.checkpointAt === undefined;
  const kept = withFiles({ ...hook, checkpointAt: at }, outcome.files ?? []);
  return outcome.kind === "saved" && !first ? begun(kept) : kept;
}

const begun = (hook: Hook): Hook =>
  hook.workPhase === "investigation" || hook.workPhase === "planning"
    ? { ...hook, workPhase: "implementation" }
    : hook;

function withStatus(run: Run): Hook {
  const { hook, outcome, session } = run;
  if (outcome?.kind === "landed") return { ...hook, status: "merged", workPhase: "completion" };
  if (outcome !== undefined) {
    return { ...hook, status: outcome.kind === "blocked" ? "blocked" : "closed" };
  }
  const status = session?.verdict === "handed_off" ? "handed_off" : "active";
  return hook.status === status ? hook : { ...hook, status };
}
