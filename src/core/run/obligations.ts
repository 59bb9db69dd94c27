// What a run has others do for it: the lanes its effects wait in, its check, the status on the forge,
// and cancelling what is no longer wanted.
//
// Lanes, one per resource: what needs the forge never keeps a session from being ended, saved or
// started. Where one effect needs another one's outcome, the run waits for that outcome.
//
// session: start, end, save and clear away. Nothing here asks a network, so nothing waits for one.
//          Its lane is the run's own name, as it was before there were others.
// git:     make the workspace, fetch the branch. Both ask upstream where the target is.
// forge:   claim, publish, settle, delete the branch: in this order on the forge as well.
import { queueAggregate, runAggregate, type Commit } from "../ids.ts";
import type { Run } from "./run.ts";
import type { Context } from "../context.ts";
import type { Obligation } from "../effect.ts";
import { titleOf } from "./work.ts";
import type { CheckOutcome } from "../check.ts";
import * as say from "../words/messages.ts";

type Whose = Pick<Run, "project" | "id">;

export const gitLane = ({ project, id }: Whose): string => `${runAggregate(project, id)}:git`;
export const forgeLane = ({ project, id }: Whose): string => `${runAggregate(project, id)}:forge`;

// Asking for CI on a run's branch, and no longer wanting it.

/** One obligation per head and attempt: a new head's check is never mistaken for the old one's. */
const checkKey = (run: Run, head: Commit, attempt: number): string =>
  `${runAggregate(run.project, run.id)}:check:${head}:${attempt}:${run.phase?.ordinal ?? 0}`;

type Check = { head: Commit; attempt: number };

export function checkObligation(run: Run, { head, attempt }: Check): Obligation {
  const key = checkKey(run, head, attempt);
  return {
    key,
    // A check takes long: in the run's own lane it would hold up messages.
    lane: key,
    effect: {
      kind: "check-branch",
      branch: run.branch,
      head,
      ci: run.config.ci,
      strategy: run.config.merge.strategy,
      title: titleOf(run),
    },
  };
}

export function startCheck(run: Run, check: Check, context: Context): Run {
  const obligation = checkObligation(run, check);
  context.output.effects.push(obligation);
  const { key } = obligation;
  return { ...run, stage: { kind: "checking", head: check.head, key, deadline: undefined } };
}

/** Leaves no check running that is not needed any more. */
export function cancelCheck(run: Run, context: Context): void {
  if (run.stage.kind !== "checking") return;
  context.output.cancelled.push(run.stage.key);
}

// No longer wanting what others do for a run: its fetch, its check, its place in the merge queue.

/** The run decides again: effects under way for it are cancelled. */
export function callBack(run: Run, why: string, context: Context): Run {
  const free = cancelFetch(run, context);
  if (run.stage.kind === "checking") cancelCheck(run, context);
  else if (run.stage.kind === "queued") leaveQueue(run, why, context);
  else return free;
  return { ...free, stage: { kind: "working" } };
}

export const fetchKey = (run: Run, ordinal: number): string =>
  `${runAggregate(run.project, run.id)}:fetch:${ordinal}`;

/** A branch that is fetched after this must not send the run on. */
export function cancelFetch(run: Run, context: Context): Run {
  if (run.fetching === undefined) return run;
  context.output.cancelled.push(fetchKey(run, run.fetching));
  return { ...run, fetching: undefined };
}

export const prepareKey = (run: Pick<Run, "project" | "id">): string =>
  `${runAggregate(run.project, run.id)}:prepare`;

export function cancelPrepare(run: Run, context: Context): void {
  if (run.stage.kind === "preparing") context.output.cancelled.push(prepareKey(run));
}

export function leaveQueue(run: Run, why: string, context: Context): void {
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why },
  });
}

// Posts the result of Pawl's own CI for a head to the forge that has its PR, for people to see
// there.
// Nothing waits for it: it has its own lane, so that a forge that is down delays nothing else.

/** `undefined`: it has begun. */
export function postStatus(
  run: Run,
  check: { head: Commit; outcome: CheckOutcome | undefined },
  context: Context,
): void {
  if (run.config.forge === undefined) return;
  const { head, outcome } = check;
  const state = STATES[outcome?.kind ?? "begun"];
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:status:${head}:${run.phase?.ordinal ?? 0}:${run.counts.infraRetries}:${state}`,
    lane: `${aggregate}:status`,
    effect: { kind: "post-status", head, state, description: say.ciStatus(outcome) },
  });
}

const STATES = {
  begun: "pending",
  passed: "success",
  failed: "failure",
  infra: "error",
} as const;
