// Effects of the review role: what a reviewer needs is read, what one said goes to the forge.
import { LABELS } from "../../core/issue.ts";
import type { ReviewMaterial } from "../../core/review/reviews.ts";
import { freshFollowUps } from "../../core/review/verdict.ts";
import { followUpBody } from "../../core/words/review.ts";
import { ownAccounts } from "../observing/own-accounts.ts";
import { currentProject, type EffectContext, type EffectOf, type Executors } from "./executor.ts";

/** Where authors can be chosen; elsewhere it is the account of the review token. */
const REVIEWER = "pawl-review";
const COMMENTS_MAX = 5;
const COMMENT_MAX = 2000;

export const reviewEffects: Executors<"prepare-review" | "post-review" | "post-comment"> = {
  "prepare-review": async (effect, context) => {
    const { own, now } = context;
    const { pr, head, branch, title, ref, diffMaxBytes: maxBytes, previous } = effect;
    const target = await own.git.fetchTarget();
    if (!(await isThere(effect, context))) {
      const why = `upstream has no branch ${branch} at this head`;
      return { kind: "review-skipped", at: now(), pr, head, why };
    }
    const heads = [{ branch, head, message: title }];
    const resolve = (await currentProject(context)).config?.merge.resolve;
    const wanted = { onto: target, heads, strategy: "merge", ref, resolve } as const;
    const built = await own.git.buildCandidate(wanted);
    if (built.kind === "conflict") {
      return { kind: "review-conflicted", at: now(), pr, head, files: built.files };
    }
    const { commit } = built;
    const { diff, files, cut } = await own.git.compare({ from: target, to: commit, maxBytes });
    const since =
      previous === undefined
        ? undefined
        : await own.git.compare({ from: previous, to: head, maxBytes });
    const material: ReviewMaterial = {
      issue: await issueOf(effect, context),
      diff,
      files,
      ...(cut === true ? { cut } : {}),
      since: since === undefined ? undefined : { log: since.log, diff: since.diff },
      comments: previous === undefined ? [] : await commentsOn(effect, context),
    };
    return { kind: "review-prepared", at: now(), pr, head, commit, material };
  },

  "post-review": async (effect, context) => {
    const { own, ports, key, now } = context;
    const { pr, head, verdict } = effect;
    const author = await reviewer(context);
    const comment = ports.redact(effect.comment);
    const body = ports.redact(effect.body);
    // On a forge the review itself is shown among the comments, and carries the marker.
    if ((await own.forge.account()) === undefined) {
      await own.forge.comment({ issue: pr, body: comment, author, key: `${key}:comment` });
    }
    await dismissOwn(effect, author, context);
    const review = await own.forge.review({ pr, head, verdict, body, author, key });
    await fileFollowUps(effect, author, context);
    return { kind: "review-posted", at: now(), pr, review: { ...review, own: true } };
  },

  "post-comment": async ({ on, body }, context) => {
    const author = await reviewer(context);
    await context.own.forge.comment({
      issue: on,
      body: context.ports.redact(body),
      author,
      key: context.key,
    });
    return undefined;
  },
};

const reviewer = async ({ own }: EffectContext): Promise<string> =>
  (await own.forge.account())?.reviewer ?? REVIEWER;

/** Branches of Pawl's own are in the hub; a person's is fetched, where upstream has it. */
async function isThere(
  { branch, head }: EffectOf<"prepare-review">,
  { own }: EffectContext,
): Promise<boolean> {
  if (branch.startsWith("pawl/")) return true;
  return (await own.git.adoptBranches({ branches: [branch] }))[0]?.head === head;
}

async function issueOf(
  { issue: number }: EffectOf<"prepare-review">,
  { own }: EffectContext,
): Promise<ReviewMaterial["issue"]> {
  const issue = number === undefined ? undefined : await own.forge.issue(number);
  if (issue === undefined) return undefined;
  const { title, body, author } = issue;
  return { number: issue.number, title, body, author };
}

/** What people said on the PR, the newest last. */
async function commentsOn(
  { pr }: EffectOf<"prepare-review">,
  context: EffectContext,
): Promise<ReviewMaterial["comments"]> {
  const { forge } = context.own;
  const own = await ownAccounts(forge);
  const all = await forge.comments(pr);
  return all
    .filter(({ author }) => !own.has(author))
    .slice(-COMMENTS_MAX)
    .map(({ author, body }) => ({ author, body: body.slice(0, COMMENT_MAX) }));
}

/** Only its own: what people said is theirs to take back. */
async function dismissOwn(
  { pr, head }: EffectOf<"post-review">,
  author: string,
  { own }: EffectContext,
): Promise<void> {
  for (const { id, ...review } of await own.forge.reviews(pr)) {
    if (review.author !== author || review.dismissed || review.head === head) continue;
    await own.forge.dismissReview({ pr, id, why: "Superseded by the review of a newer head" });
  }
}

async function fileFollowUps(
  { pr, followUps }: EffectOf<"post-review">,
  author: string,
  { own, ports, key }: EffectContext,
): Promise<void> {
  if (followUps.length === 0) return;
  const open = await own.forge.issues({ state: "open" });
  const fresh = freshFollowUps(
    followUps,
    open.map(({ title }) => title),
  );
  for (const { title, body } of fresh) {
    await own.forge.createIssue({
      title,
      body: ports.redact(followUpBody(body, pr)),
      labels: [LABELS.techDebt],
      key: `${key}:follow-up:${followUps.findIndex((one) => one.title === title)}`,
      author,
    });
  }
}
