// Finds issues that are in progress by a claim without an owner: of a run or an action of this
// factory that is over or unknown to its journal, of a journal that was lost, or, where `[forge]
// adopt_after` allows it, of another factory of the same account that has been silent. An issue
// that a person labelled or another account claimed is never among them.
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import { actionAggregate, runAggregate, runId } from "../../core/ids.ts";
import { LABELS } from "../../core/issue.ts";
import type { IssueFacts } from "../../core/project/backlog.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Claim } from "../../ports/forge.ts";
import type { Found } from "./find-orphans.ts";

type IssueOrphan = Extract<OrphanFact, { kind: "issue" }>;

/** Looked up again after this long: another's issue must not cost a request in every round. */
const FOREIGN_MS = 30 * 60_000;

export async function findClaims(found: Found): Promise<IssueOrphan[]> {
  const orphans: IssueOrphan[] = [];
  for (const issue of withoutRun(found)) {
    const claim = await claimOf(found, issue.number);
    if (claim === undefined || (await livesOn(found, issue.number))) continue;
    const orphan = await orphanOf(found, issue, claim);
    if (orphan !== undefined) orphans.push(orphan);
  }
  return orphans;
}

function withoutRun({ project }: Found): IssueFacts[] {
  const taken = new Set([...project.active, ...project.leaving].map(({ issue }) => issue));
  return project.backlog.filter(
    ({ number, labels }) =>
      labels.includes(LABELS.inProgress) && !labels.includes(LABELS.blocked) && !taken.has(number),
  );
}

/** Only a claim that this factory may answer for. */
async function claimOf(found: Found, issue: number): Promise<Claim | undefined> {
  const { foreign, own, project, ports } = found;
  const now = ports.clock.now();
  const name = `${project.name} ${issue}`;
  if (now - (foreign.get(name) ?? -FOREIGN_MS) < FOREIGN_MS) return undefined;
  const claim = await asked(own, issue);
  if (claim === "unknown") return undefined;
  if (claim !== undefined && isAnswerable(claim, found, now)) return claim;
  foreign.set(name, Math.min(now, answerableAt(claim, found) - FOREIGN_MS));
  return undefined;
}

/** When a claim of another factory loses its owner, where that was configured. */
function answerableAt(claim: Claim | undefined, { project }: Found): number {
  const afterMs = project.config?.forge?.adoptAfterMs;
  return claim?.holder === "sibling" && afterMs !== undefined ? claim.at + afterMs : Infinity;
}

/** A forge that cannot be asked keeps the deacon from nothing else. */
async function asked(
  { forge }: Found["own"],
  issue: number,
): Promise<Claim | "unknown" | undefined> {
  try {
    return await forge.claimOf(issue);
  } catch (error) {
    if (error instanceof OperationError) return "unknown";
    throw error;
  }
}

const isAnswerable = (claim: Claim, found: Found, now: number): boolean =>
  claim.holder === "this" || claim.holder === "gone" || answerableAt(claim, found) <= now;

/** An agent that a lost journal knew is ended first; what cannot be seen is not taken for dead. */
async function livesOn({ ports, project }: Found, issue: number): Promise<boolean> {
  const panes = await ports.terminal.panes();
  if (panes === "unknown") return true;
  return panes.some(
    ({ marks }) => marks?.project === project.name && marks.run.startsWith(`${issue}.`),
  );
}

async function orphanOf(
  found: Found,
  { number: issue, title }: IssueFacts,
  claim: Claim,
): Promise<IssueOrphan | undefined> {
  const about = { kind: "issue", key: `issue:${issue}`, issue, title, claim: claim.key } as const;
  if (claim.key.startsWith("action:")) {
    const action = await actionOrphan(found, issue, claim);
    return action && { ...about, ended: undefined, lost: false, action };
  }
  const run = claim.holder === "this" ? await runOf(found, claim.key) : undefined;
  const ended = run?.outcome?.kind;
  // Its run let go of it because of a person: the label is theirs. A run that took the issue for lost
  // had it after all where the claim is its own.
  if (ended === "closed") return undefined;
  const attempts = run === undefined ? attemptIn(claim.key, issue) : undefined;
  const lost = ended === undefined && (await isLost(found, issue));
  return { ...about, ended, lost, ...(attempts === undefined ? {} : { attempts }) };
}

/** Of an issue that this journal has worked on. */
async function isLost({ project, own }: Found, issue: number): Promise<boolean> {
  if (project.history[String(issue)] === undefined || own.checkpoints === undefined) return false;
  return !(await own.checkpoints.identities()).includes(`dev-${issue}`);
}

async function runOf({ store, project }: Found, key: string): Promise<Run | undefined> {
  const prefix = runAggregate(project.name, runId(""));
  if (!key.startsWith(prefix)) return undefined;
  const state = (await store.load(runAggregate(project.name, runId(key.slice(prefix.length)))))
    ?.state;
  return state?.kind === "run" ? state : undefined;
}

/** Undefined while it is under way, or where a person took its issue. */
async function actionOrphan(
  { store, project }: Found,
  issue: number,
  claim: Claim,
): Promise<IssueOrphan["action"]> {
  const id = actionAggregate(project.name, issue);
  const stored = claim.holder === "this" ? (await store.load(id))?.state : undefined;
  const action = stored?.kind === "action" ? stored : undefined;
  if (action === undefined || claim.key !== `${id}#${action.attempt}`) return "unknown";
  if (action.stage.kind !== "ended") return undefined;
  const { kind } = action.stage.outcome;
  // The claim is its own, and reading the issue failed until it was given up.
  if (kind === "lost") return "unbegun";
  return kind === "closed" ? undefined : kind;
}

/** `run:toy/7.3` was the third: the next one must not take its name. */
function attemptIn(key: string, issue: number): number | undefined {
  const attempt = Number(key.slice(key.lastIndexOf(".") + 1));
  return key.includes(`/${issue}.`) && Number.isSafeInteger(attempt) ? attempt : undefined;
}
