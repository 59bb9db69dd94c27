// Effects on the forge: claiming and settling issues, and telling people.
import { commentsBefore } from "./comments-before.ts";
import { earlierAttempt } from "./earlier-attempt.ts";
import { earlierWork } from "./earlier-pr.ts";
import { ownAccounts } from "../observing/own-accounts.ts";
import type { EffectContext, EffectOf, Executors } from "./executor.ts";

export const forgeEffects: Executors<
  "claim-issue" | "settle-issue" | "finish-pr" | "post-status" | "say-on-issue" | "notify"
> = {
  "claim-issue": async (effect, context) => {
    const { own, now } = context;
    const claim = await own.forge.claim(effect.issue, effect.claim);
    if (claim.kind === "lost") return { kind: "claim-lost", at: now(), why: claim.why };
    const issue = await own.forge.issue(effect.issue);
    if (issue === undefined) return { kind: "claim-lost", at: now(), why: "the issue is gone" };
    const accounts = await ownAccounts(own.forge);
    const comments = await commentsBefore(own.forge, effect.issue);
    const isOwn = accounts.has(issue.author) ? { own: true as const } : {};
    const earlier = await earlierWork(effect.issue, context);
    const attempt = await earlierAttempt(effect.issue, context);
    return { kind: "issue-claimed", at: now(), issue, comments, ...isOwn, ...earlier, ...attempt };
  },

  "settle-issue": async (effect, context) => {
    if (effect.pr !== undefined) await finishPr(effect.pr, context);
    if (effect.comment !== undefined && !(await isSaid(effect, context))) {
      await context.own.forge.comment({
        issue: effect.issue,
        body: context.ports.redact(effect.comment),
        author: "pawl",
        key: context.key,
      });
    }
    await context.own.forge.editIssue(effect.issue, {
      addLabels: effect.addLabels,
      removeLabels: effect.removeLabels,
      ...(effect.close ? { state: "closed" as const } : {}),
    });
    return { kind: "issue-settled", at: context.now() };
  },

  "finish-pr": async ({ pr, mergedAs }, context) => {
    await finishPr({ number: pr, mergedAs }, context);
    return { kind: "pr-finished", at: context.now() };
  },

  "post-status": async (effect, { own }) => {
    const { head, state, description } = effect;
    await own.forge.setStatus(head, { context: "pawl/ci", state, description, url: undefined });
    return undefined;
  },

  "say-on-issue": async ({ on, body: said, since }, { own, ports, key, now }) => {
    const body = ports.redact(said);
    const { id } = await own.forge.comment({ issue: on, body, author: "pawl", key });
    return since === undefined
      ? undefined
      : { kind: "question-posted", at: now(), since, comment: id };
  },

  notify: async (effect, { ports, project, key }) => {
    const { kind: _, ...news } = effect;
    const [title, body] = [ports.redact(news.title), ports.redact(news.body)];
    await ports.notifier.notify({ key, project, ...news, title, body });
    return undefined;
  },
};

const LAST_COMMENTS = 5;

/** The same diagnosis is not posted again. */
async function isSaid(
  { issue, unless }: EffectOf<"settle-issue">,
  { own }: EffectContext,
): Promise<boolean> {
  if (unless === undefined) return false;
  const accounts = await ownAccounts(own.forge);
  const comments = await own.forge.comments(issue);
  return comments
    .slice(-LAST_COMMENTS)
    .some(({ author, body }) => accounts.has(author) && body.includes(unless));
}

async function finishPr(
  pr: NonNullable<EffectOf<"settle-issue">["pr"]>,
  { own }: EffectContext,
): Promise<void> {
  await own.forge.finishPr(
    pr.number,
    pr.mergedAs === undefined ? { state: "closed" } : { state: "merged", mergedAs: pr.mergedAs },
  );
}
