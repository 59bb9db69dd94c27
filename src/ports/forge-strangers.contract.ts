// What every forge must do about strangers, as tests: an account that may only read and comment
// copies every text that Pawl ever writes, marks included, before and after Pawl writes it. A part of
// forge.contract.ts. On the built-in tracker there is no stranger. The texts are read from the forge, so that a new mark is covered by itself.
import { expect, test } from "vitest";
import { LABELS } from "../core/issue.ts";
import type { Pr } from "./forge.ts";
import { newIssue, openPr, type Stranger, type Use } from "./forge-under-test.ts";

export function strangerTests(use: Use): void {
  strangerReviewTests(use);

  test("a stranger's copy of a comment is not Pawl's", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const say = (issue: number) =>
      forge.comment({ issue, body: "hello", author: "pawl", key: "same" });
    const decoy = await forge.createIssue(newIssue("a"));
    await say(decoy.number);
    const { number } = await forge.createIssue(newIssue("b"));
    await copyTo(stranger, { from: decoy.number, to: number });
    const before = await forge.comments(number);
    expect(before.filter(({ own }) => own === true)).toEqual([]);
    const ours = await say(number);
    expect(ours.author).not.toBe(stranger.login);
    await copyTo(stranger, { from: decoy.number, to: number });
    expect(await say(number)).toEqual(ours);
    const after = await forge.comments(number);
    expect(after.filter(({ own }) => own === true)).toEqual([ours]);
    expect(after.filter(({ author }) => author === stranger.login).length).toBeGreaterThan(1);
  });

  test("a stranger's copy of a claim holds nothing", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const decoy = await forge.createIssue(newIssue("a", [LABELS.backlog]));
    await forge.claim(decoy.number, "run 1.1");
    const { number } = await forge.createIssue(newIssue("b", [LABELS.backlog]));
    await copyTo(stranger, { from: decoy.number, to: number });
    expect(await forge.claimOf(number)).toBeUndefined();
    expect(await forge.claim(number, "run 1.1")).toEqual({ kind: "claimed" });
    await copyTo(stranger, { from: decoy.number, to: number });
    expect(await forge.claimOf(number)).toMatchObject({ key: "run 1.1", holder: "this" });
    expect(await forge.claim(number, "run 1.1")).toEqual({ kind: "claimed" });
    const shown = await forge.comments(number);
    expect(shown.filter(({ author }) => author === stranger.login).length).toBeGreaterThan(1);
  });

  test("a stranger's copy of an issue is not Pawl's, and has no labels", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const decoy = await forge.createIssue(newIssue("one"));
    const labels = [LABELS.backlog, LABELS.inProgress];
    await forge.createIssue(newIssue("with labels", labels));
    const [text = ""] = await stranger.texts(decoy.number);
    const body = text.replaceAll("one", "two");
    const forged = await stranger.fileIssue({ title: "title of two", body, labels });
    const made = await forge.createIssue(newIssue("two"));
    expect(made.number).not.toBe(forged);
    expect(made.author).not.toBe(stranger.login);
    expect(await forge.issue(forged)).toMatchObject({ author: stranger.login, labels: [] });
  });

  test("a stranger's PR with the branch and the text of ours is not ours", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const issue = await forge.createIssue(newIssue("a"));
    const open = async (branch: string) => {
      const head = await use().push(branch);
      const pr = { branch, head, target: "main", title: branch, body: "text", key: branch };
      return forge.ensurePr({ ...pr, issue: issue.number });
    };
    const decoy = await open("pawl/1");
    const [text = ""] = await stranger.texts(decoy.number);
    const before = await stranger.openPr("pawl/2", text);
    const ours = await open("pawl/2");
    expect(ours.number).not.toBe(before);
    const after = await stranger.openPr("pawl/3", text);
    expect(await open("pawl/2")).toMatchObject({ number: ours.number });
    expect((await forge.pr(after))?.issue).toBeUndefined();
    const about = await forge.prsOf(issue.number);
    expect(about.map(({ number }) => number)).toEqual([decoy.number, ours.number]);
  });
}

export function strangerReviewTests(use: Use): void {
  test("a stranger's copy of a review is no verdict", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const review = (pr: Pr, verdict: "approve" | "request-changes") =>
      forge.review({ pr: pr.number, head: pr.head, verdict, body: "", author: "a", key: "same" });
    const decoy = await openPr(use, "pawl/1");
    await review(decoy, "approve");
    const pr = await openPr(use, "pawl/2");
    const forgeReview = async (): Promise<void> => {
      for (const text of await stranger.texts(decoy.number)) {
        const body = text.replaceAll(decoy.head, pr.head);
        await stranger.comment(pr.number, body);
        await stranger.approve(pr.number, { head: pr.head, body });
      }
    };
    await forgeReview();
    expect(await forge.reviews(pr.number)).toEqual([]);
    const ours = await review(pr, "request-changes");
    expect(ours).toMatchObject({ verdict: "request-changes", dismissed: false });
    expect(ours.author).not.toBe(stranger.login);
    await forgeReview();
    expect(await review(pr, "request-changes")).toEqual(ours);
    expect(await forge.reviews(pr.number)).toEqual([ours]);
  });

  test("a mark in a text that Pawl posts for others is no mark", async () => {
    const { forge, stranger } = use();
    if (stranger === undefined) return;
    const decoy = await openPr(use, "pawl/1");
    const given = {
      head: decoy.head,
      verdict: "approve",
      body: "",
      author: "a",
      key: "r",
    } as const;
    await forge.review({ pr: decoy.number, ...given });
    const claimed = await forge.createIssue(newIssue("a", [LABELS.backlog]));
    await forge.claim(claimed.number, "run 1.1");
    const pr = await openPr(use, "pawl/2");
    const texts = [
      ...(await stranger.texts(decoy.number)).map((text) => text.replaceAll(decoy.head, pr.head)),
      ...(await stranger.texts(claimed.number)),
    ];
    const quoted = texts.join("\n\n");
    await forge.comment({ issue: pr.number, body: quoted, author: "pawl", key: "k" });
    expect(await forge.reviews(pr.number)).toEqual([]);
    const verdict = "request-changes";
    await forge.review({ ...given, pr: pr.number, head: pr.head, verdict, body: quoted });
    expect(await forge.reviews(pr.number)).toMatchObject([{ head: pr.head, verdict }]);
    const issue = await forge.createIssue(newIssue("b", [LABELS.inProgress]));
    await forge.comment({ issue: issue.number, body: quoted, author: "pawl", key: "k" });
    expect(await forge.claimOf(issue.number)).toBeUndefined();
    expect(await forge.comments(issue.number)).toHaveLength(1);
  });
}

/** Each text of one issue becomes a comment on another. */
async function copyTo(
  stranger: Stranger,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const body of await stranger.texts(from)) await stranger.comment(to, body);
}
