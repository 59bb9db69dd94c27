// The backlog of a project in one look: what is new against the forge's list enters as a fact. Where the
// forge counts its changes, a list that was compared is not read again, not even by the next daemon.
import { mayBeginAgain } from "../../core/action/action.ts";
import { actionAggregate, projectAggregate, type ProjectName } from "../../core/ids.ts";
import { LABELS, type Issue } from "../../core/issue.ts";
import { readyActions } from "../../core/project/actions.ts";
import { newsOf, type BacklogNews, type IssueFacts } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store, StoredAggregate } from "../../ports/store.ts";
import type { Loop } from "../engine/loop.ts";
import type { ProjectPorts } from "../engine/ports.ts";
import { backlogFacts, type KnownIssues, type SeenBacklog } from "./backlog-facts.ts";

type BacklogDeps = { store: Store; loop: Loop; clock: Clock };

/** `known`: the forge's issues have not changed since they were compared with the backlog. */
export type Seen = {
  own: ProjectPorts;
  open: Issue[];
  issues: KnownIssues;
  known: SeenBacklog | undefined;
  compared: Compared | undefined;
};

/** What is compared in this look, where the forge counts its changes. */
type Compared = { revision: string; backlogVersion: number };
type News = BacklogNews & { seen?: Compared | undefined };

/**
 * The project, where its backlog is what the forge has at this revision. Mostly without the backlog,
 * which may be thousands of issues.
 */
export async function knownBacklog(
  { store }: BacklogDeps,
  name: ProjectName,
  { revision, issues }: { revision: string; issues: KnownIssues },
): Promise<{ stored: StoredAggregate; seen: SeenBacklog } | undefined> {
  const query = { kind: "project", project: name } as const;
  const brief = (await store.aggregates({ ...query, isBrief: true })).at(0);
  if (!isSeen(brief, revision)) return undefined;
  if (issues.seen?.version === brief.version) return { stored: brief, seen: issues.seen };
  const stored = (await store.aggregates({ ...query, labelled: LABELS.action })).at(0);
  if (!isSeen(stored, revision)) return undefined;
  issues.seen = { version: stored.version, actions: readyActions(stored.state.backlog) };
  return { stored, seen: issues.seen };
}

const isSeen = (
  stored: StoredAggregate | undefined,
  revision: string,
): stored is StoredAggregate & { state: Project } =>
  stored?.state.kind === "project" && stored.state.seenRevision === revision;

export async function observeBacklog(
  deps: BacklogDeps,
  project: Project,
  seen: Seen,
): Promise<void> {
  const news = seen.known === undefined ? await newFacts(project, seen) : undefined;
  const actions = seen.known?.actions ?? readyIn(project.backlog);
  if (news === undefined && !(await isActionWaiting(deps, project, actions))) return;
  const same: News = { issues: [], gone: [], seen: seen.known && seen.compared };
  const { issues, gone, seen: compared } = news ?? same;
  await deps.loop.submit({
    to: projectAggregate(project.name),
    event: {
      kind: "issues-observed",
      at: deps.clock.now(),
      issues,
      gone,
      ...(compared && { seen: compared }),
    },
  });
}

/** Undefined where the backlog is as the project knows it, and the forge does not count its changes. */
async function newFacts(
  { backlog, observedAt }: Project,
  { own, open, issues, compared }: Seen,
): Promise<News | undefined> {
  const same = compared && { issues: [], gone: [], seen: compared };
  if (issues.said.get(open) === backlog) return same;
  const facts = await backlogFacts(own.forge, open, issues);
  const news = newsOf(backlog, facts);
  const isAll = isWhole(facts);
  if (observedAt === undefined || news.issues.length + news.gone.length > 0) {
    return { ...news, seen: isAll ? compared : undefined };
  }
  if (!isAll) return undefined;
  issues.said.set(open, backlog);
  return same;
}

/** Whether nothing outside of the list itself could change what it says. */
function isWhole(issues: readonly IssueFacts[]): boolean {
  const numbers = new Set(issues.map(({ number }) => number));
  return issues.every(({ unmet }) => unmet.every((number) => numbers.has(number)));
}

/** Every look asks for them, and the backlog is mostly the same one. */
const ready = new WeakMap<readonly IssueFacts[], readonly IssueFacts[]>();

function readyIn(backlog: readonly IssueFacts[]): readonly IssueFacts[] {
  let found = ready.get(backlog);
  if (found === undefined) {
    found = readyActions(backlog);
    ready.set(backlog, found);
  }
  return found;
}

/**
 * Its issue was blocked and is free again, with no look in between: a person wants it once more.
 */
async function isActionWaiting(
  { store, clock }: BacklogDeps,
  { name, paused }: Project,
  actions: readonly IssueFacts[],
): Promise<boolean> {
  if (paused !== undefined) return false;
  for (const { number } of actions) {
    const action = (await store.load(actionAggregate(name, number)))?.state;
    if (action?.kind === "action" && mayBeginAgain(action, clock.now())) return true;
  }
  return false;
}
