// The beginning of a run: the issue is claimed before anything else is done.
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { runAggregate } from "../ids.ts";
import { branchName, type Run } from "./run.ts";

export function requestRun(
  event: Extract<RunEvent, { kind: "run-requested" }>,
  context: Context,
): Run {
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
      toldNotMerged: false,
    },
    crashes: [],
    respawnAt: undefined,
    stopped: undefined,
    held: undefined,
    warnings: [],
    checkpoint: undefined,
    outcome: undefined,
    endedAt: undefined,
  };
}
