// Changes an issue: its text, its labels, its state, and what is said about it.
import type { IssueChangeRequest, IssueView } from "../../../api/issues.ts";
import type { CheckpointView } from "../../../api/checkpoints.ts";
import type { PrView } from "../../../api/prs.ts";
import type { RunView } from "../../../api/runs.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import type { Deps } from "../../deps.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { bodyFrom, usage, type BodyOptions } from "../../options.ts";

/** Checkpoints of a run, the newest first: an agent that changed nothing is saved a few times only. */
const LOOKED_AT_MAX = 20;

export type EditOptions = BodyOptions & {
  title?: string | undefined;
  addLabel?: string[] | undefined;
  removeLabel?: string[] | undefined;
};

export async function editIssue(deps: Deps, number: number, options: EditOptions): Promise<void> {
  const change: IssueChangeRequest = {
    title: options.title,
    body: await bodyFrom(deps, options),
    addLabels: options.addLabel,
    removeLabels: options.removeLabel,
  };
  if (Object.values(change).every((value) => value === undefined)) {
    throw usage(
      `nothing to change in #${number}`,
      "give --title, --body, --body-file, --add-label or --remove-label",
    );
  }
  await patch(deps, number, change);
  deps.stderr(`changed #${number}\n`);
  await noteWhoActs(deps);
}

export async function setIssueState(
  deps: Deps,
  number: number,
  state: IssueView["state"],
): Promise<void> {
  await patch(deps, number, { state });
  deps.stderr(`${state === "open" ? "reopened" : "closed"} #${number}\n`);
  if (state !== "closed") return;
  for (const line of await whatStays(deps, number)) deps.stderr(`${line}\n`);
}

/** The issue is closed already: what cannot be asked any more is left out. */
async function whatStays(deps: Deps, number: number): Promise<string[]> {
  const run = await ifKnown(deps.client.get<RunView>(`/v1/runs/${number}`));
  if (run === undefined || run.issue !== number || run.outcome === "landed") return [];
  const pr = run.pr === null ? undefined : await ifKnown(prOf(deps, run.pr));
  return [
    ...(pr?.state === "open"
      ? [`PR #${pr.number} stays open: \`pawl pr show ${pr.number}\` shows it`]
      : []),
    ...((await hasWork(deps, run))
      ? [`the work of ${run.identity} is kept: \`pawl checkpoint list ${number}\` lists it`]
      : []),
  ];
}

const prOf = (deps: Deps, number: number): Promise<PrView> => deps.client.get(`/v1/prs/${number}`);

/** Committed, or saved by Pawl. */
async function hasWork(deps: Deps, { run, head, base }: RunView): Promise<boolean> {
  if (head !== null && head !== base) return true;
  const path = `/v1/checkpoints/${encodeURIComponent(run)}?limit=${LOOKED_AT_MAX}`;
  const saved = (await ifKnown(deps.client.get<CheckpointView[]>(path))) ?? [];
  return saved.some(({ files, skipped_count: skipped }) => files + skipped > 0);
}

async function ifKnown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

export async function commentIssue(
  deps: Deps,
  number: number,
  options: BodyOptions,
): Promise<void> {
  const body = await bodyFrom(deps, options);
  if (body === undefined) throw usage("the comment is empty", "give --body or --body-file");
  const key = `cli ${deps.newKey()}`;
  await deps.client.post(`/v1/issues/${number}/comments`, { body, author: deps.user, key });
  deps.stderr(`commented on #${number}\n`);
}

const patch = (deps: Deps, number: number, change: IssueChangeRequest): Promise<IssueView> =>
  deps.client.patch(`/v1/issues/${number}`, change);
