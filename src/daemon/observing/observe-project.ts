// One look at what the outside world says of a project: its configuration, its backlog, its runs'
// issues and reviews. What is new enters as facts; what is as before writes nothing.
import type { ProjectConfig, Upstream } from "../../core/config.ts";
import {
  projectAggregate,
  queueAggregate,
  runAggregate,
  type Commit,
  type ProjectName,
} from "../../core/ids.ts";
import { LABELS, type Issue } from "../../core/issue.ts";
import { isLandingBranch } from "../../core/merge-queue/queue.ts";
import type { Project } from "../../core/project/project.ts";
import { isOurs } from "../../core/run/clear.ts";
import type { RunEvent } from "../../core/run/run-event.ts";
import { isActive, needsReview, type Run } from "../../core/run/run.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Store } from "../../ports/store.ts";
import type { KnownIssues, SeenBacklog } from "./backlog-facts.ts";
import { observeAnswers } from "./observe-answers.ts";
import { knownBacklog, observeBacklog, type Seen } from "./observe-backlog.ts";
import { observeVerdicts } from "./observe-verdicts.ts";
import { observePrs } from "./observe-prs.ts";
import { observeSettings } from "./observe-settings.ts";
import { whoDid } from "./who-did.ts";
import type { BriefProject } from "../engine/brief-project.ts";
import type { Loop } from "../engine/loop.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";

/** Reads the pawl.toml that counts at this commit of the target; where it has none, the checkout's. */
export type ReadConfig = (
  project: BriefProject,
  own: ProjectPorts,
  target: Commit,
) => Promise<
  | { kind: "valid"; config: ProjectConfig; source: string; hash?: string }
  | { kind: "invalid"; problem: string }
>;

/** The upstream that the repository has now, where it is another than the one agreed to. */
export type OtherUpstream = (project: Project) => Promise<Upstream | undefined>;

export type ProjectObserveDeps = {
  store: Store;
  ports: Ports;
  loop: Loop;
  clock: Clock;
  readConfig: ReadConfig;
  /** The simulator's projects have no folder that a user could change. */
  otherUpstream?: OtherUpstream | undefined;
};

export type Look = {
  /** Whether the target and the rules on it are looked at too: that asks upstream. */
  withTarget: boolean;
  issues: KnownIssues;
};

export async function observeProject(
  deps: ProjectObserveDeps,
  name: ProjectName,
  { withTarget, issues }: Look,
): Promise<void> {
  const own = await deps.ports.project(name);
  // Before the list: what changes meanwhile is looked at again. A forge that fails does not hide the
  // target, so that its error waits.
  const { forge } = own;
  const [revised] =
    forge.revision === undefined ? [] : await Promise.allSettled([forge.revision()]);
  const revision = revised?.status === "fulfilled" ? revised.value : undefined;
  const known =
    revision === undefined ? undefined : await knownBacklog(deps, name, { revision, issues });
  const stored = known?.stored ?? (await deps.store.load(projectAggregate(name)));
  if (stored?.state.kind !== "project") return;
  const project = stored.state;
  // Before the target: what a person pushed before they asked for something is seen with it.
  const [list] =
    revised?.status === "rejected"
      ? [revised]
      : await Promise.allSettled([
          known === undefined
            ? own.forge.issues({ state: "open" })
            : activeIssues(project, own, known.seen),
        ]);
  if (withTarget) {
    // Before the fetch: where the remote was moved, the one that is still used may be gone.
    if (deps.otherUpstream !== undefined) await observeUpstream(deps, project, deps.otherUpstream);
    const target = await own.git.fetchTarget();
    await observeTarget(deps, project, target);
    await observeOutside(deps, project, own);
    await observeConfig(deps, project, { own, target });
    if (project.config?.review.role !== undefined) await observePrs(deps, project, own.forge);
    if (list.status === "fulfilled") {
      await observeSettings(deps, project, { forge: own.forge, last: issues.settings });
    }
  }
  if (list.status === "rejected") throw list.reason;
  const listed = list.value;
  // A list that says what is known misses nothing.
  const isKnown = issues.said.get(listed) === project.backlog;
  const missed = isKnown ? [] : missedActions(project, listed);
  const open = missed.length === 0 ? listed : [...listed, ...(await stillOpen(missed, own))];
  const { backlogVersion = 0 } = project;
  const compared = revision === undefined ? undefined : { revision, backlogVersion };
  const seen = { own, open, issues, known: known?.seen, compared };
  await observeBacklog(deps, project, seen);
  const [refusal] = await observeRuns(deps, project, seen);
  await observeVerdicts(deps, project, own.forge);
  if (refusal !== undefined) throw refusal;
}

async function activeIssues(
  { active }: Project,
  own: ProjectPorts,
  seen: SeenBacklog,
): Promise<Issue[]> {
  const numbers = active.flatMap(({ issue }) => issue ?? []);
  seen.active ??= await stillOpen(numbers, own);
  return seen.active;
}

/**
 * A list may miss an issue that moved between two pages while it was read. One that is an action
 * would be cancelled as closed, so that it is read separately.
 */
function missedActions({ backlog }: Project, listed: readonly Issue[]): number[] {
  const actions = backlog.filter(({ labels }) => labels.includes(LABELS.action));
  if (actions.length === 0) return [];
  const numbers = new Set(listed.map(({ number }) => number));
  return actions.filter(({ number }) => !numbers.has(number)).map(({ number }) => number);
}

async function stillOpen(numbers: number[], own: ProjectPorts): Promise<Issue[]> {
  const issues = await Promise.all(numbers.map((number) => own.forge.issue(number)));
  return issues.flatMap((issue) => (issue?.state === "open" ? [issue] : []));
}

/** `git remote set-url` is said, and nothing is pushed there until the operator agrees. */
async function observeUpstream(
  deps: ProjectObserveDeps,
  project: Project,
  otherUpstream: OtherUpstream,
): Promise<void> {
  const there = await otherUpstream(project);
  if (canonicalJson(there ?? null) === canonicalJson(project.askedUpstream ?? null)) return;
  const asked = there === undefined ? {} : { asked: there };
  const to = projectAggregate(project.name);
  const event = { kind: "upstream-observed", at: deps.clock.now(), ...asked } as const;
  await deps.loop.submit({ to, event });
}

/** The queue is told of a target that was moved from outside, also while the queue is idle. */
async function observeTarget(
  deps: ProjectObserveDeps,
  project: Project,
  target: Commit,
): Promise<void> {
  const to = queueAggregate(project.name);
  const queue = (await deps.store.load(to))?.state;
  if (queue?.kind !== "queue" || queue.target === undefined) return;
  if (queue.target.commit === target || queue.inDoubt === true) return;
  const at = deps.clock.now();
  await deps.loop.submit({ to, event: { kind: "target-observed", at, target } });
}

/** So many wait for the operator at most; the others are told of when these are acknowledged. */
const OUTSIDE_MAX = 20;

/** A push into the user's repository is not how Pawl lands: the operator is told of each. */
async function observeOutside(
  deps: ProjectObserveDeps,
  project: Project,
  { git }: ProjectPorts,
): Promise<void> {
  const known = project.outside ?? [];
  const forgotten = known.filter((one) => one.acknowledged).map(({ commit }) => commit);
  const found = await git.outside({ acknowledged: forgotten });
  const fresh = found.filter(({ commit }) => !known.some((one) => one.commit === commit));
  const commits = fresh.slice(0, Math.max(0, OUTSIDE_MAX - (known.length - forgotten.length)));
  if (commits.length + forgotten.length === 0) return;
  const to = projectAggregate(project.name);
  await deps.loop.submit({
    to,
    event: { kind: "outside-observed", at: deps.clock.now(), commits, forgotten },
  });
}

async function observeConfig(
  deps: ProjectObserveDeps,
  project: Project,
  seen: { own: ProjectPorts; target: Commit },
): Promise<void> {
  const read = await deps.readConfig(project, seen.own, seen.target);
  const to = projectAggregate(project.name);
  const at = deps.clock.now();
  if (read.kind === "invalid") {
    if (read.problem === project.configProblem) return;
    await deps.loop.submit({ to, event: { kind: "config-rejected", at, problem: read.problem } });
    return;
  }
  const { kind: _, ...inForce } = read;
  const isSame =
    isSameConfig(inForce.config, project.config) && inForce.hash === project.configHash;
  if (isSame && project.configProblem === undefined) return;
  await deps.loop.submit({ to, event: { kind: "project-configured", at, ...inForce } });
}

/** The journal keeps no fields that are undefined. */
const isSameConfig = (read: ProjectConfig, known: ProjectConfig | undefined): boolean =>
  known !== undefined && (read === known || canonicalJson(read) === canonicalJson(known));

function byNumber({ open, issues }: Seen): ReadonlyMap<number, Issue> {
  let found = issues.byNumber.get(open);
  if (found === undefined) {
    found = new Map(open.map((issue) => [issue.number, issue]));
    issues.byNumber.set(open, found);
  }
  return found;
}

/** A run whose pull request was deleted on the forge, say, keeps nothing else from being looked at. */
async function observeRuns(
  deps: ProjectObserveDeps,
  project: Project,
  seen: Seen,
): Promise<OperationError[]> {
  const refusals: OperationError[] = [];
  for (const { run, issue } of project.active) {
    const state = (await deps.store.load(runAggregate(project.name, run)))?.state;
    if (state?.kind !== "run" || !isActive(state)) continue;
    try {
      await observeRun(deps, { run: state, issue }, seen);
    } catch (error) {
      // The forge or the journal is out of order: the others would only wait for it too.
      if (!(error instanceof OperationError) || error.retryable) throw error;
      refusals.push(error);
    }
  }
  return refusals;
}

async function observeRun(
  deps: ProjectObserveDeps,
  { run, issue }: { run: Run; issue: number | undefined },
  seen: Seen,
): Promise<void> {
  const listed = issue === undefined ? undefined : byNumber(seen).get(issue);
  if (issue !== undefined && listed === undefined) {
    await observeClosed(deps, run, { issue, own: seen.own });
  }
  if (listed !== undefined && !isOurs(listed.labels)) {
    await observeLabels(deps, run, { listed, own: seen.own });
  }
  if (needsReview(run)) await observeReviews(deps, run, seen.own);
  if (run.stage.kind === "escalated") await observeAnswers(deps, run, seen.own.forge);
}

/**
 * A list may miss an issue that moved between two pages while it was read, so that it is asked for
 * by itself. A forge closes issues when their work lands: that is told by the landing, not by this.
 */
async function observeClosed(
  deps: ProjectObserveDeps,
  run: Run,
  seen: { issue: number; own: ProjectPorts },
): Promise<void> {
  const issue = await seen.own.forge.issue(seen.issue);
  if (issue?.state === "open") return;
  // Read after the forge was asked: a landing that closed the issue is under way here, or over.
  const queue = (await deps.store.load(queueAggregate(run.project)))?.state;
  if (queue?.kind === "queue" && isLandingBranch(queue, run.branch)) return;
  const by = await whoDid(seen.own.forge, { issue: seen.issue, change: { kind: "closed" } });
  await deps.loop.submit({
    to: runAggregate(run.project, run.id),
    event: { kind: "issue-observed", at: deps.clock.now(), state: "closed", labels: [], ...by },
  });
}

async function observeReviews(
  deps: ProjectObserveDeps,
  run: Run,
  own: ProjectPorts,
): Promise<void> {
  if (run.pr === undefined) return;
  const reviews = await own.forge.reviews(run.pr);
  if (reviews.length === 0) return;
  const to = runAggregate(run.project, run.id);
  await deps.loop.submit({
    to,
    event: { kind: "reviews-observed", at: deps.clock.now(), reviews },
  });
}

/**
 * A person's label after ours wins. What the list said may be older than our own claim, so that the
 * issue is read again before the run is stopped.
 */
async function observeLabels(
  deps: ProjectObserveDeps,
  run: Run,
  { listed, own }: { listed: Issue; own: ProjectPorts },
): Promise<void> {
  if (run.stage.kind === "claiming") return;
  const event = await labelsOf(own.forge, { issue: listed.number, clock: deps.clock });
  if (event === undefined) return;
  await deps.loop.submit({ to: runAggregate(run.project, run.id), event });
}

/** Dated after the forge was asked. Undefined where the issue is closed, or its labels are as Pawl left them. */
export async function labelsOf(
  forge: Forge,
  { issue: number, clock }: { issue: number; clock: Pick<Clock, "now"> },
): Promise<Extract<RunEvent, { kind: "issue-observed" }> | undefined> {
  const issue = await forge.issue(number);
  if (issue?.state !== "open" || isOurs(issue.labels)) return undefined;
  const { labels } = issue;
  const change = labels.includes(LABELS.blocked)
    ? ({ kind: "labelled", label: LABELS.blocked } as const)
    : ({ kind: "unlabelled", label: LABELS.inProgress } as const);
  const by = await whoDid(forge, { issue: number, change });
  return { kind: "issue-observed", at: clock.now(), state: "open", labels, ...by };
}
