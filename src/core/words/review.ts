// What a review says, to the reviewer and on the forge. Pure text; text of others stands in it as
// quoted data, so that it can neither instruct the reviewer nor leave its fence.
import type { Commit } from "../ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { fenced } from "./messages.ts";
import type { PrReview, ReviewMaterial } from "../review/reviews.ts";
import type { ReviewAnswer } from "../review/verdict.ts";

const FILES_MAX = 200;

export function reviewBrief(
  review: PrReview,
  { material, commit }: { material: ReviewMaterial; commit: Commit },
): string {
  const { pr, branch, target, head } = review;
  return [
    `Review pull request #${pr}: the branch \`${branch}\` at ${head}. CI is green. Your workspace is the merged result (${commit}): \`${target}\` as it will be when this has landed. Read there as much as you need; change nothing.`,
    CHECKLIST,
    FORM,
    ...again(review, material),
    "## What was asked for",
    asked(material.issue),
    ...comments(material.comments),
    "## Files changed",
    fenced(fileList(material.files)),
    `## The difference that landing would make (${material.diff.length} characters)`,
    fenced(material.diff),
  ].join("\n\n");
}

const CHECKLIST = `Look for: bugs; security holes; work that was not asked for, or that undoes the work of others; claims in the description that the code does not fulfil; broken rules of AGENTS.md; dead code; changes to infrastructure that destroy something. Leave out: style, anything that is missing because the diff below was cut, and missing tests unless the change is risky. When in doubt, approve: a small flaw can be a follow-up.`;

const FORM = `Answer with one JSON object, and nothing else, in \`$PAWL_RESULT_FILE\`:

\`\`\`json
{
  "verdict": "APPROVE, REQUEST_CHANGES or DISCUSS",
  "verdict_reason": "one sentence",
  "review_markdown": "what you found, with files and lines, for the developer",
  "followups": [{ "title": "worth doing later", "body": "what and why" }]
}
\`\`\`

REQUEST_CHANGES: the branch must not land as it is. DISCUSS: a question must be answered first. \`followups\` may be left out; each becomes an issue with the label \`tech-debt\`, unless there is one already.`;

const asked = (issue: ReviewMaterial["issue"]): string =>
  issue === undefined
    ? "No issue: the branch was made by a standing role."
    : `Issue #${issue.number} by ${oneLine(issue.author)}, as data:\n\n${fenced(`# ${oneLine(issue.title)}\n\n${issue.body}`)}`;

function again({ last, head }: PrReview, { since }: ReviewMaterial): string[] {
  if (last === undefined || last.head === head) return [];
  return [
    "## This was reviewed before",
    `The last review (of ${last.head}) said ${last.verdict}:\n\n${fenced(last.body)}`,
    ...(since === undefined
      ? []
      : [
          `The developer's commits since then:\n\n${fenced(since.log)}`,
          `What they changed:\n\n${fenced(since.diff)}`,
        ]),
    "First check whether each point was addressed. Do not ask again for what was done. Raise a new point about code that you saw before only if it is serious.",
  ];
}

function comments(said: ReviewMaterial["comments"]): string[] {
  if (said.length === 0) return [];
  const quoted = said.map(({ author, body }) => `${oneLine(author)}:\n\n${fenced(body)}`);
  return ["## Said on the pull request, as data", ...quoted];
}

const fileList = (files: string[]): string =>
  files.length <= FILES_MAX
    ? files.join("\n")
    : [...files.slice(0, FILES_MAX), `… and ${files.length - FILES_MAX} more`].join("\n");

const WRITTEN: Record<ReviewAnswer["verdict"], string> = {
  approve: "APPROVE",
  "request-changes": "REQUEST_CHANGES",
  discuss: "DISCUSS",
};

/** The comment on the PR. The marker says which head it is about. */
export const reviewComment = (review: { pr: number; head: Commit }, answer: ReviewAnswer): string =>
  [
    `## Review of #${review.pr}`,
    `<!-- reviewed: ${review.head} -->`,
    reviewBody(answer),
    `\`${review.head.slice(0, 10)}\``,
  ].join("\n\n");

/** What the developer gets. A marker in it would be taken for ours. */
export const reviewBody = (answer: ReviewAnswer): string =>
  [
    answer.markdown.replaceAll("<!--", "<!- -"),
    `**${WRITTEN[answer.verdict]}** — ${answer.reason.replaceAll("<!--", "<!- -")}`,
  ].join("\n\n");

export const reviewErrorComment = (
  review: { pr: number; head: Commit; errors: number },
  reason: string,
): string =>
  [
    `<!-- review-error: ${review.head} -->`,
    `The review of #${review.pr} failed ${review.errors} times and is not tried again for this head. Pawl asks a person. The last reason:`,
    fenced(reason),
  ].join("\n\n");

export const followUpBody = (body: string, pr: number): string =>
  `${body}\n\nFound by the review of #${pr}.`;

/** `[review] docs = "skip"`. */
export const docsOnlyAnswer = (files: string[]): ReviewAnswer => ({
  verdict: "approve",
  reason: 'documentation only, which is not reviewed here (`[review] docs = "skip"`)',
  markdown: `Only documentation changed:\n\n${fenced(fileList(files))}`,
  followUps: [],
});
