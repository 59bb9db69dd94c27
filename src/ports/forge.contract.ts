// What every forge must do, as tests: the built-in tracker runs it on both stores, forges behind
// HTTP against a fake or a real server. What a test needs from outside the port comes from `open`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusalMark } from "../core/words/messages.ts";
import { claimTests } from "./forge-claims.contract.ts";
import { strangerReviewTests, strangerTests } from "./forge-strangers.contract.ts";
import { newIssue, openPr, type ForgeUnderTest, type Use } from "./forge-under-test.ts";

const MISSING = 9_999;

type Open = () => Promise<ForgeUnderTest>;

export function forgeContract(name: string, open: Open): void {
  contract(name, open, (use) => {
    issueTests(use);
    claimTests(use);
    timelineTests(use);
    commentTests(use);
    prTests(use);
    reviewTests(use);
    statusTests(use);
    strangerTests(use);
  });
}

/** The part in which a second account, which gives the reviews, makes a difference. */
export function forgeReviewContract(name: string, open: Open): void {
  contract(name, open, (use) => {
    reviewTests(use);
    strangerReviewTests(use);
  });
}

function contract(name: string, open: Open, tests: (use: Use) => void): void {
  describe(`${name} keeps its contract`, () => {
    let under: ForgeUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    tests(() => under);
  });
}

function issueTests(use: Use): void {
  test("an issue comes back as it was filed", async () => {
    const made = await use().forge.createIssue(newIssue("a", ["backlog"]));
    expect(made).toMatchObject({
      title: "title of a",
      body: "body of a",
      state: "open",
      labels: ["backlog"],
    });
    expect(await use().forge.issue(made.number)).toEqual(made);
  });

  test("filing with the same key twice makes one issue", async () => {
    const first = await use().forge.createIssue(newIssue("a"));
    const again = await use().forge.createIssue(newIssue("a"));
    expect(again).toEqual(first);
    expect(await use().forge.issues({ state: "all" })).toHaveLength(1);
  });

  test("the same key filed at once from two sides makes one issue", async () => {
    const both = [newIssue("a"), newIssue("a")].map((input) => use().forge.createIssue(input));
    const [first, second] = await Promise.all(both);
    expect(second?.number).toBe(first?.number);
    expect(await use().forge.issues({ state: "all" })).toHaveLength(1);
  });

  test("a title keeps quotes and emoji, and a line break in it becomes a space", async () => {
    const title = `"quoted" 'text' \`code\` $(x) 🪝\nsecond\r\nthird`;
    const made = await use().forge.createIssue({ ...newIssue("a"), title, body: "one\n\ntwo\n" });
    const shown = `"quoted" 'text' \`code\` $(x) 🪝 second third`;
    expect(made).toMatchObject({ title: shown, body: "one\n\ntwo\n" });
    const edited = await use().forge.editIssue(made.number, { title: "a\nb" });
    expect(edited).toMatchObject({ title: "a b", body: "one\n\ntwo\n" });
  });

  test("an edit keeps what the issue said before, where the forge itself has no history", async () => {
    const { forge } = use();
    if (forge.edits === undefined) return;
    const { number } = await forge.createIssue(newIssue("a"));
    await forge.editIssue(number, { addLabels: ["x"], body: "body of a" });
    expect(await forge.edits(number)).toEqual([]);
    await forge.editIssue(number, { body: "other" });
    await forge.editIssue(number, { title: "new title" });
    const at = expect.any(Number);
    expect(await forge.edits(number)).toEqual([
      { title: "title of a", body: "body of a", at },
      { title: "title of a", body: "other", at },
    ]);
  });

  test("labels are added and removed, each at most once", async () => {
    const { number } = await use().forge.createIssue(newIssue("a", ["x", "y"]));
    const labels = async (addLabels: string[], removeLabels: string[]): Promise<string[]> => {
      const edited = await use().forge.editIssue(number, { addLabels, removeLabels });
      return edited.labels.toSorted();
    };
    expect(await labels(["y", "z", "z"], [])).toEqual(["x", "y", "z"]);
    expect(await labels([], ["x", "unknown"])).toEqual(["y", "z"]);
    expect(await labels([], ["x"])).toEqual(["y", "z"]);
    expect((await use().forge.issue(number))?.labels.toSorted()).toEqual(["y", "z"]);
  });

  test("lists are complete, by state, in the order of their numbers", async () => {
    const numbers: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      numbers.push((await use().forge.createIssue(newIssue(`issue ${index}`))).number);
    }
    const listed = async (state: "open" | "closed" | "all"): Promise<number[]> =>
      (await use().forge.issues({ state })).map((issue) => issue.number);
    await use().forge.editIssue(numbers[1]!, { state: "closed" });
    await use().forge.editIssue(numbers[11]!, { state: "closed" });
    await use().forge.editIssue(numbers[1]!, { state: "open" });
    expect(await listed("all")).toEqual(numbers);
    expect(await listed("closed")).toEqual([numbers[11]]);
    expect(await listed("open")).toEqual(numbers.slice(0, 11));
  });

  test("where changes are counted, every change of an issue counts, and a question does not", async () => {
    const { forge } = use();
    const { number } = await forge.createIssue(newIssue("counted"));
    const seen = [await forge.revision?.()];
    if (seen[0] === undefined) return;
    await forge.issues({ state: "open" });
    expect(await forge.revision?.()).toBe(seen[0]);
    const changes = [
      () => forge.editIssue(number, { addLabels: ["backlog"] }),
      () => forge.claim(number, "k"),
      () => forge.editIssue(number, { state: "closed" }),
      () => forge.createIssue(newIssue("another")),
    ];
    for (const change of changes) {
      await change();
      seen.push(await forge.revision?.());
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("where issues are paged, the pages are together the whole list", async () => {
    const { forge } = use();
    if (forge.issuePage === undefined) return;
    for (let index = 0; index < 12; index += 1) {
      const labels = index % 2 === 0 ? ["even"] : [];
      const { number } = await forge.createIssue({ ...newIssue(`paged ${index}`), labels });
      if (index % 3 === 0) await forge.editIssue(number, { state: "closed" });
    }
    for (const state of ["open", "closed", "all"] as const) {
      for (const label of [undefined, "even"]) {
        const whole = (await forge.issues({ state })).filter(
          ({ labels }) => label === undefined || labels.includes(label),
        );
        const first = await forge.issuePage({ state, label, limit: 2 });
        const after = first.at(-1)?.number;
        const rest = await forge.issuePage({ state, label, after, limit: 1000 });
        expect([...first, ...rest], `${state} ${label}`).toEqual(whole);
      }
    }
  });

  test("an unknown number has no issue, and cannot be changed", async () => {
    expect(await use().forge.issue(MISSING)).toBeUndefined();
    const missing = { code: "not-found", hint: expect.any(String) };
    const { forge } = use();
    await expect(forge.editIssue(MISSING, { title: "x" })).rejects.toMatchObject(missing);
    await expect(forge.claim(MISSING, "k")).rejects.toMatchObject(missing);
    await expect(forge.comments(MISSING)).rejects.toMatchObject(missing);
    const comment = { issue: MISSING, body: "x", author: "ann", key: "k" };
    await expect(forge.comment(comment)).rejects.toMatchObject(missing);
  });
}

/** The built-in tracker keeps no record: only Pawl and its user write there. */
function timelineTests(use: Use): void {
  test("a forge tells who labelled, closed and reopened an issue, in order", async () => {
    const { forge } = use();
    if (forge.timeline === undefined) return;
    const { number } = await forge.createIssue(newIssue("a"));
    await forge.editIssue(number, { addLabels: ["blocked"] });
    await forge.editIssue(number, { removeLabels: ["blocked"], state: "closed" });
    await forge.editIssue(number, { state: "open" });
    const by = (await forge.account())?.login;
    const changes = await forge.timeline(number);
    // Label and state of one edit are two changes, whichever the forge tells first.
    expect(changes.map(({ kind }) => kind).toSorted()).toEqual([
      "closed",
      "labelled",
      "reopened",
      "unlabelled",
    ]);
    expect(changes[0]).toMatchObject({ kind: "labelled", label: "blocked", by });
    expect(changes.at(-1)).toEqual({ kind: "reopened", by, at: expect.any(Number) });
  });
}

function commentTests(use: Use): void {
  test("a comment with the same key is made once, others in their order", async () => {
    const { number } = await use().forge.createIssue(newIssue("a"));
    const say = (body: string, key: string) =>
      use().forge.comment({ issue: number, body, author: "pawl", key });
    const first = await say("first\nline", "1");
    await say("second", "2");
    expect(await say("first\nline", "1")).toEqual(first);
    const bodies = (await use().forge.comments(number)).map((comment) => comment.body);
    expect(bodies).toEqual(["first\nline", "second"]);
  });

  test("what is looked for in the words of a refusal comes back with them", async () => {
    const { number } = await use().forge.createIssue(newIssue("a"));
    const body = `${refusalMark("too_large")}\nToo large.`;
    await use().forge.comment({ issue: number, body, author: "pawl", key: "1" });
    expect(await use().forge.comments(number)).toMatchObject([{ body }]);
  });

  test("the same key on two issues makes two comments", async () => {
    const a = await use().forge.createIssue(newIssue("a"));
    const b = await use().forge.createIssue(newIssue("b"));
    for (const issue of [a.number, b.number]) {
      await use().forge.comment({ issue, body: "x", author: "pawl", key: "same" });
      expect(await use().forge.comments(issue)).toHaveLength(1);
    }
  });

  test("a PR can be commented on like an issue", async () => {
    const pr = await openPr(use, "pawl/1");
    await use().forge.comment({ issue: pr.number, body: "hello", author: "ann", key: "k" });
    expect(await use().forge.comments(pr.number)).toMatchObject([{ body: "hello" }]);
  });
}

function prTests(use: Use): void {
  test("issues and PRs share one row of numbers", async () => {
    const issue = await use().forge.createIssue(newIssue("a"));
    const pr = await openPr(use, "pawl/1");
    const next = await use().forge.createIssue(newIssue("b"));
    expect(new Set([issue.number, pr.number, next.number]).size).toBe(3);
    expect(await use().forge.issue(pr.number)).toBeUndefined();
    expect(await use().forge.pr(issue.number)).toBeUndefined();
  });

  test("a branch has one open PR, and its head follows the branch", async () => {
    const first = await openPr(use, "pawl/1", "first push");
    const second = await openPr(use, "pawl/1", "second push");
    expect(second.number).toBe(first.number);
    expect(second.head).not.toBe(first.head);
    expect(await use().forge.pr(first.number)).toEqual(second);
    expect(await use().forge.prs({ state: "all" })).toHaveLength(1);
  });

  test("the same call repeated changes nothing", async () => {
    const head = await use().push("pawl/1");
    const branch = { branch: "pawl/1", head, target: "main", title: "t", body: "b", issue: 1 };
    const first = await use().forge.ensurePr({ ...branch, key: "k" });
    expect(await use().forge.ensurePr({ ...branch, key: "k" })).toEqual(first);
    expect(first).toMatchObject({ branch: "pawl/1", head, target: "main", state: "open" });
  });

  test("a branch whose PR was closed gets a new one", async () => {
    const first = await openPr(use, "pawl/1", "first");
    await use().forge.finishPr(first.number, { state: "closed" });
    expect(await use().forge.pr(first.number)).toMatchObject({ state: "closed" });
    const second = await openPr(use, "pawl/1", "second");
    expect(second.number).not.toBe(first.number);
    expect(await use().forge.prs({ state: "open" })).toMatchObject([{ number: second.number }]);
    expect(await use().forge.prs({ state: "all" })).toHaveLength(2);
  });

  test("a merged PR is merged for good", async () => {
    const pr = await openPr(use, "pawl/1");
    const merged = { state: "merged", mergedAs: pr.head } as const;
    await use().land(pr.head);
    await use().forge.finishPr(pr.number, merged);
    await use().forge.finishPr(pr.number, merged);
    await use().forge.finishPr(pr.number, { state: "closed" });
    expect(await use().forge.pr(pr.number)).toMatchObject(merged);
    expect(await use().forge.prs({ state: "open" })).toEqual([]);
  });

  test("a forge that merges does so once, at exactly the head that is meant", async () => {
    const { forge } = use();
    // The built-in tracker merges nothing: there the target is the user's own branch.
    if (forge.mergePr === undefined) return;
    const pr = await openPr(use, "pawl/1");
    const merging = { pr: pr.number, head: pr.head, strategy: "merge" } as const;
    const outcome = await forge.mergePr(merging);
    expect(outcome).toMatchObject({ kind: "merged" });
    expect(await forge.mergePr(merging)).toEqual(outcome);
    const mergedAs = outcome.kind === "merged" ? outcome.commit : undefined;
    expect(await forge.pr(pr.number)).toMatchObject({ state: "merged", mergedAs });
    const other = await openPr(use, "pawl/2");
    const never = await forge.mergePr({ ...merging, head: other.head });
    expect(never).toMatchObject({ kind: "refused", hint: expect.any(String) });
    await forge.finishPr(other.number, { state: "closed" });
    const closed = await forge.mergePr({ ...merging, pr: other.number, head: other.head });
    expect(closed).toMatchObject({ kind: "refused", hint: expect.any(String) });
  });

  test("the PRs of an issue are told, also those that were closed, and whose they are", async () => {
    const { forge } = use();
    const issue = await forge.createIssue(newIssue("a"));
    const other = await forge.createIssue(newIssue("b"));
    const open = async (branch: string, about: number) => {
      const head = await use().push(branch);
      const pr = { branch, head, target: "main", title: branch, body: "", key: branch };
      return forge.ensurePr({ ...pr, issue: about });
    };
    const first = await open("pawl/1", issue.number);
    await open("pawl/2", other.number);
    await forge.finishPr(first.number, { state: "closed" });
    const second = await open("pawl/1-b", issue.number);
    expect(await forge.prsOf(issue.number)).toMatchObject([
      { number: first.number, state: "closed", head: first.head, own: true },
      { number: second.number, state: "open", branch: "pawl/1-b", own: true },
    ]);
    expect(await forge.prsOf(MISSING)).toEqual([]);
  });

  test("PRs are listed in the order of their numbers", async () => {
    const numbers: number[] = [];
    for (const branch of ["pawl/9", "pawl/10", "pawl/1"]) {
      numbers.push((await openPr(use, branch)).number);
    }
    for (const state of ["open", "all"] as const) {
      const listed = await use().forge.prs({ state });
      expect(listed.map((pr) => pr.number)).toEqual(numbers);
    }
  });

  test("an unknown number has no PR, and it cannot be finished", async () => {
    expect(await use().forge.pr(MISSING)).toBeUndefined();
    const attempt = use().forge.finishPr(MISSING, { state: "closed" });
    await expect(attempt).rejects.toMatchObject({ code: "not-found", hint: expect.any(String) });
  });
}

function reviewTests(use: Use): void {
  test("a review with the same key is given once, others in their order", async () => {
    const pr = await openPr(use, "pawl/1");
    const give = (verdict: "approve" | "request-changes", key: string) =>
      use().forge.review({ pr: pr.number, head: pr.head, verdict, body: key, author: "ann", key });
    const first = await give("request-changes", "1");
    expect(first).toMatchObject({ head: pr.head, verdict: "request-changes", dismissed: false });
    await give("approve", "2");
    // A forge may dismiss by itself what its author has overtaken.
    expect(await give("request-changes", "1")).toMatchObject({ id: first.id, body: "1" });
    const verdicts = (await use().forge.reviews(pr.number)).map((review) => review.verdict);
    expect(verdicts).toEqual(["request-changes", "approve"]);
  });

  test("a dismissed review stays, and no longer counts", async () => {
    const pr = await openPr(use, "pawl/1");
    const review = { pr: pr.number, head: pr.head, body: "no", author: "ann", key: "1" };
    const { id } = await use().forge.review({ ...review, verdict: "request-changes" });
    const dismissal = { pr: pr.number, id, why: "superseded" };
    await use().forge.dismissReview(dismissal);
    await use().forge.dismissReview(dismissal);
    expect(await use().forge.reviews(pr.number)).toMatchObject([{ id, dismissed: true }]);
    const missing = use().forge.dismissReview({ ...dismissal, id: String(MISSING) });
    await expect(missing).rejects.toMatchObject({ code: "not-found" });
  });

  test.each(["approve", "request-changes", "discuss"] as const)(
    "the verdict %s comes back with its head and its text",
    async (verdict) => {
      const pr = await openPr(use, "pawl/1");
      const { number, head } = pr;
      const given = { pr: number, head, body: "one\n\ntwo", author: "ann", key: "1" };
      await use().forge.review({ ...given, verdict });
      const said = { verdict, head, body: "one\n\ntwo", dismissed: false };
      expect(await use().forge.reviews(number)).toMatchObject([said]);
    },
  );

  test("a PR without reviews has none, and an unknown one cannot be reviewed", async () => {
    const pr = await openPr(use, "pawl/1");
    expect(await use().forge.reviews(pr.number)).toEqual([]);
    const missing = { code: "not-found", hint: expect.any(String) };
    await expect(use().forge.reviews(MISSING)).rejects.toMatchObject(missing);
    const review = { pr: MISSING, head: pr.head, body: "", author: "ann", key: "k" };
    const attempt = use().forge.review({ ...review, verdict: "approve" });
    await expect(attempt).rejects.toMatchObject(missing);
  });
}

function statusTests(use: Use): void {
  test("a commit has the latest status of each context", async () => {
    const commit = await use().push("pawl/1");
    const { forge } = use();
    expect(await forge.statuses(commit)).toEqual([]);
    const begun = { context: "pawl/ci", description: "runs", url: undefined };
    await forge.setStatus(commit, { ...begun, state: "pending" });
    const passed = { ...begun, state: "success", description: "passed" } as const;
    await forge.setStatus(commit, passed);
    await forge.setStatus(commit, passed);
    const other = { context: "lint", description: "2 problems", url: "https://ci.example/1" };
    await forge.setStatus(commit, { ...other, state: "failure" });
    expect(await forge.statuses(commit)).toEqual([{ ...other, state: "failure" }, passed]);
  });
}
