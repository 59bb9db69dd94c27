// What an issue has on the forge from before: an open PR of Pawl's that a run resumes, or the last
// one that was closed without being merged, for its brief. Reads only.
import type { RunEvent } from "../../core/run/run-event.ts";
import type { EarlierPr } from "../../core/run/run.ts";
import type { Pr } from "../../ports/forge.ts";
import { ownAccounts } from "../observing/own-accounts.ts";
import { currentRun, type EffectContext } from "./executor.ts";

const SAID_MAX = 5;
const SAID_CHARS_MAX = 2_000;
const DIFF_LINES_MAX = 500;
const DIFF_CHARS_MAX = 40_000;

type Claimed = Extract<RunEvent, { kind: "issue-claimed" }>;

export async function earlierWork(
  issue: number,
  context: EffectContext,
): Promise<Pick<Claimed, "earlier" | "goesOn">> {
  const prs = await context.own.forge.prsOf(issue);
  const { target } = (await currentRun(context)).config;
  const open = prs.findLast(
    (pr) => pr.state === "open" && pr.own && pr.branch.startsWith("pawl/") && pr.target === target,
  );
  if (open !== undefined) {
    const { number: pr, branch } = open;
    return { goesOn: { pr, branch }, earlier: await described(open, context) };
  }
  const closed = prs.findLast(({ state }) => state === "closed");
  if (closed === undefined) return {};
  const diff = await diffOf(closed, context);
  const earlier = await described(closed, context);
  return { earlier: diff === undefined ? earlier : { ...earlier, diff } };
}

async function described(pr: Pr, context: EffectContext): Promise<EarlierPr> {
  const { number, title, state } = pr;
  const said = await saidOn(number, context);
  return { number, title, state: state === "open" ? "open" : "closed", said };
}

/** What people and all reviewers said; Pawl's own notes tell an agent nothing. */
async function saidOn(pr: number, { own: { forge } }: EffectContext): Promise<EarlierPr["said"]> {
  const accounts = await ownAccounts(forge);
  const comments = (await forge.comments(pr)).filter(({ author }) => !accounts.has(author));
  const reviews = (await forge.reviews(pr)).filter(({ body }) => body.trim() !== "");
  return [...comments, ...reviews]
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .slice(-SAID_MAX)
    .map(({ author, body }) => ({ author, body: body.slice(0, SAID_CHARS_MAX) }));
}

async function diffOf({ head }: Pr, { own: { git } }: EffectContext): Promise<EarlierPr["diff"]> {
  // The target must be there to know what the PR changed.
  await git.fetchTarget();
  const changes = await git.changesOf({ head, maxBytes: 2 * DIFF_CHARS_MAX });
  if (changes === undefined) return undefined;
  const lines = changes.diff.split("\n").slice(0, DIFF_LINES_MAX).join("\n");
  const text = lines.slice(0, DIFF_CHARS_MAX);
  return { text, isCut: text.length < changes.diff.length };
}
