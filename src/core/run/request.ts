// The beginning of a run: the issue is claimed before anything else is done, and an agent starts
// only in a workspace whose checkout was reported complete.
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { runAggregate } from "../ids.ts";
import { newHook } from "../session/hook.ts";
import { branchName, type Run } from "./run.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

export function requestRun(event: EventOf<"run-requested">, context: Context): Run {
  const aggregate = runAggregate(event.project, event.run);
  context.output.effects.push({
    key: `${aggregate}:claim`,
    lane: aggregate,
    effect: { kind: "claim-issue", issue: event.issue, claim: aggregate },
  });
  const name = String(event.issue);
  return {
    kind: "run",
    id: event.run,
    project: event.project,
    role: "dev",
    identity: `dev-${name}`,
    name,
    attempt: event.attempt,
    slot: event.slot,
    issue: { number: event.issue, title: event.title, body: "", labels: [], url: undefined },
    branch: branchName(event.issue, event.title),
    config: event.config,
    requestedAt: event.at,
    stage: { kind: "claiming" },
    base: undefined,
    head: undefined,
    fetching: undefined,
    session: undefined,
    epoch: event.lastEpoch,
    phase: undefined,
    pr: undefined,
    check: undefined,
    review: undefined,
    messages: [],
    nextMessage: 1,
    counts: {
      ciFixes: 0,
      infraRetries: 0,
      reviewRounds: 0,
      conflicts: 0,
      nudges: 0,
      stuck: 0,
      handOffs: 0,
      toldNotMerged: false,
    },
    crashes: [],
    respawnAt: undefined,
    stopped: undefined,
    held: undefined,
    warnings: [],
    checkpoint: undefined,
    handedOffAt: undefined,
    hook: newHook(event.title, event.at),
    longestPauseMs: 0,
    outcome: undefined,
    endedAt: undefined,
  };
}

export function claimed(run: Run, event: EventOf<"issue-claimed">, context: Context): Run {
  if (run.stage.kind !== "claiming") return run;
  const { number, title, body, labels, url } = event.issue;
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:prepare`,
    lane: aggregate,
    effect: {
      kind: "prepare-workspace",
      identity: run.identity,
      branch: run.branch,
      checkpoint: run.checkpoint,
      workspace: run.config.workspace,
      slot: run.slot,
    },
  });
  return { ...run, issue: { number, title, body, labels, url }, stage: { kind: "preparing" } };
}

export function prepared(run: Run, event: EventOf<"workspace-prepared">): Run {
  if (run.stage.kind !== "preparing") return run;
  return { ...run, base: event.base, stage: { kind: "working" } };
}
