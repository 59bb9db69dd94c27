// The forge of a simulated project: issues, PRs, comments and reviews, kept as long as the world.
// It passes src/ports/forge.contract.ts, as the built-in tracker and real forges do.
import { LABELS, type Issue } from "../../src/core/issue.ts";
import type { Commit } from "../../src/core/ids.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import { STRANGER } from "../config.ts";
import type { Claim, Comment, Forge, Pr, Review, Status } from "../../src/ports/forge.ts";

type Made = { what: "issue" | "comment" | "pr" | "review"; mark: string };

export class ForgeRecords {
  readonly issueByNumber = new Map<number, Issue>();
  readonly prByNumber = new Map<number, Pr>();
  readonly commentsOf = new Map<number, Comment[]>();
  readonly reviewsOf = new Map<number, Review[]>();
  readonly statusesOf = new Map<Commit, Map<string, Status>>();
  /** Told of everything that is made, for the checkers. */
  onMade: (made: Made) => void = () => undefined;
  onClosed: (issue: number) => void = () => undefined;
  onBlocked: (issue: number) => void = () => undefined;
  readonly #byKey = new Map<string, unknown>();
  readonly #claims = new Map<number, string>();
  readonly #lists = new Map<string, Issue[]>();
  /** PRs from forks. */
  readonly #foreign = new Set<number>();
  readonly #now: () => number;
  #number = 0;
  #revision = 0;
  #said = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  forge(): Forge {
    return {
      issues: async ({ state }) => this.#issues(state),
      revision: async () => String(this.#revision),
      issue: async (number) => this.issueByNumber.get(number),
      createIssue: async (input) => this.createIssue(input),
      editIssue: async (number, change) => this.editIssue(number, change),
      comments: async (number) => this.#commentsOn(number),
      comment: async (input) => this.#comment(input),
      claim: async (number, key) => this.#claim(number, key),
      claimOf: async (number) => this.#claimOf(number),
      prs: async ({ state }) =>
        [...this.prByNumber.values()].filter((pr) => state === "all" || pr.state === state),
      pr: async (number) => this.prByNumber.get(number),
      prsOf: async (issue) =>
        [...this.prByNumber.values()]
          .filter((pr) => pr.issue === issue && !this.#foreign.has(pr.number))
          .map((pr) => ({ ...pr, own: true })),
      ensurePr: async (input) => this.#ensurePr(input),
      finishPr: async (number, end) => this.#finishPr(number, end),
      reviews: async (number) => this.#reviewsOn(number).filter(({ author }) => mayWrite(author)),
      review: async (input) => this.review(input),
      dismissReview: async (input) => this.#dismissReview(input),
      statuses: async (commit) =>
        [...(this.statusesOf.get(commit)?.values() ?? [])].toSorted((a, b) =>
          a.context.localeCompare(b.context),
        ),
      setStatus: async (commit, status) => this.#setStatus(commit, status),
      account: async () => undefined,
    };
  }

  /** The same list as long as none of them has changed: looks ask for it every half minute. */
  #issues(state: "open" | "closed" | "all"): Issue[] {
    let found = this.#lists.get(state);
    if (found === undefined) {
      const all = [...this.issueByNumber.values()];
      found = all.filter((issue) => state === "all" || issue.state === state);
      this.#lists.set(state, found);
    }
    return found;
  }

  #keep(issue: Issue): void {
    this.issueByNumber.set(issue.number, issue);
    this.#lists.clear();
    this.#revision += 1;
  }

  createIssue(input: Parameters<Forge["createIssue"]>[0]): Issue {
    return this.#once(`issue ${input.key}`, () => {
      const number = this.#next();
      const at = this.#now();
      const { body, author } = input;
      const title = oneLine(input.title);
      const labels = [...new Set(input.labels)];
      const issue: Issue = {
        number,
        title,
        body,
        state: "open",
        labels,
        author,
        createdAt: at,
        updatedAt: at,
        url: undefined,
      };
      this.#keep(issue);
      this.onMade({ what: "issue", mark: input.key });
      return issue;
    });
  }

  editIssue(number: number, change: Parameters<Forge["editIssue"]>[1]): Issue {
    const issue = this.#issue(number);
    const removed = new Set(change.removeLabels ?? []);
    const kept = issue.labels.filter((label) => !removed.has(label));
    const next: Issue = {
      ...issue,
      title: change.title === undefined ? issue.title : oneLine(change.title),
      body: change.body ?? issue.body,
      state: change.state ?? issue.state,
      labels: [...new Set([...kept, ...(change.addLabels ?? [])])],
      updatedAt: this.#now(),
    };
    this.#keep(next);
    if (issue.state === "open" && next.state === "closed") this.onClosed(number);
    if (change.addLabels?.includes(LABELS.blocked) === true) this.onBlocked(number);
    return next;
  }

  review(input: Parameters<Forge["review"]>[0]): Review {
    const given = this.#reviewsOn(input.pr);
    return this.#once(`review ${input.pr} ${input.key}`, () => {
      const { author, head, verdict, body } = input;
      const id = `r${given.length + 1}-${input.pr}`;
      const review = { id, author, head, verdict, body, createdAt: this.#now(), dismissed: false };
      this.reviewsOf.set(input.pr, [...given, review]);
      this.onMade({ what: "review", mark: `${input.pr} ${head} ${verdict} ${author}` });
      return review;
    });
  }

  #dismissReview({ pr, id }: Parameters<Forge["dismissReview"]>[0]): void {
    const given = this.#reviewsOn(pr);
    if (!given.some((review) => review.id === id)) throw notFound(`review ${id}`);
    const dismissed = given.map((one) => (one.id === id ? { ...one, dismissed: true } : one));
    this.reviewsOf.set(pr, dismissed);
  }

  #setStatus(commit: Commit, status: Status): void {
    const known = this.statusesOf.get(commit) ?? new Map<string, Status>();
    this.statusesOf.set(commit, known.set(status.context, status));
  }

  #claim(number: number, key: string): { kind: "claimed" } | { kind: "lost"; why: string } {
    const issue = this.#issue(number);
    if (issue.state === "closed") return { kind: "lost", why: "the issue is closed" };
    if (issue.labels.includes(LABELS.inProgress)) {
      if (this.#claims.get(number) === key) return { kind: "claimed" };
      return { kind: "lost", why: "the issue is already in progress" };
    }
    this.#claims.set(number, key);
    this.editIssue(number, { addLabels: [LABELS.inProgress], removeLabels: [LABELS.backlog] });
    return { kind: "claimed" };
  }

  #claimOf(number: number): Claim | undefined {
    const { labels, updatedAt: at } = this.#issue(number);
    const key = this.#claims.get(number);
    if (key === undefined || !labels.includes(LABELS.inProgress)) return undefined;
    return { key, by: "pawl", at, holder: "this" };
  }

  #comment(input: Parameters<Forge["comment"]>[0]): Comment {
    this.#commentsOn(input.issue);
    return this.#once(`comment ${input.issue} ${input.key}`, () => {
      const { author, body } = input;
      const comment = this.say({ issue: input.issue, author, body, own: true });
      this.onMade({ what: "comment", mark: `${input.issue} ${input.key}` });
      return comment;
    });
  }

  /** As a person does on its page; Pawl goes by a key. Comments are counted up, as on every forge. */
  say({ issue, ...said }: { issue: number } & Pick<Comment, "author" | "body" | "own">): Comment {
    this.#said += 1;
    const comment = { ...said, id: String(this.#said), createdAt: this.#now() };
    this.commentsOf.set(issue, [...this.#commentsOn(issue), comment]);
    return comment;
  }

  #ensurePr(input: Parameters<Forge["ensurePr"]>[0]): Pr {
    const { branch, head, target, body, issue } = input;
    const open = [...this.prByNumber.values()].find(
      (pr) => pr.branch === branch && pr.state === "open" && !this.#foreign.has(pr.number),
    );
    if (open !== undefined) {
      if (open.head === head) return open;
      return this.#keepPr({ ...open, head, updatedAt: this.#now() });
    }
    const at = this.#now();
    const number = this.#next();
    const title = oneLine(input.title);
    this.onMade({ what: "pr", mark: `${branch} #${number}` });
    return this.#keepPr({
      number,
      title,
      body,
      branch,
      head,
      target,
      issue,
      state: "open",
      mergedAs: undefined,
      createdAt: at,
      updatedAt: at,
    });
  }

  /** From a fork: its branch may have any name. It is about no issue, also if its text says so. */
  openForeignPr({ branch, body, head }: { branch: string; body: string; head: Commit }): number {
    const at = this.#now();
    const number = this.#next();
    this.#foreign.add(number);
    const times = { createdAt: at, updatedAt: at };
    const place = { branch, head, target: "main", issue: undefined, mergedAs: undefined };
    this.#keepPr({ number, title: branch, body, ...place, state: "open", ...times });
    return number;
  }

  #finishPr(
    number: number,
    end: { state: "merged"; mergedAs: Commit } | { state: "closed" },
  ): void {
    const pr = this.prByNumber.get(number);
    if (pr === undefined) throw notFound(number);
    if (pr.state === "merged") return;
    const mergedAs = end.state === "merged" ? end.mergedAs : undefined;
    this.#keepPr({ ...pr, state: end.state, mergedAs, updatedAt: this.#now() });
  }

  /** By the forge itself, where it merges. */
  mergeAt(number: number, { head, mergedAs }: { head: Commit; mergedAs: Commit }): void {
    const pr = this.prByNumber.get(number);
    if (pr === undefined) throw notFound(number);
    this.#keepPr({ ...pr, head, state: "merged", mergedAs, updatedAt: this.#now() });
  }

  #keepPr(pr: Pr): Pr {
    this.prByNumber.set(pr.number, pr);
    return pr;
  }

  #commentsOn(number: number): Comment[] {
    if (!this.issueByNumber.has(number) && !this.prByNumber.has(number)) throw notFound(number);
    return this.commentsOf.get(number) ?? [];
  }

  #reviewsOn(number: number): Review[] {
    if (!this.prByNumber.has(number)) throw notFound(number);
    return this.reviewsOf.get(number) ?? [];
  }

  #issue(number: number): Issue {
    const issue = this.issueByNumber.get(number);
    if (issue === undefined) throw notFound(number);
    return issue;
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  /** A key makes something once, also where the answer to the first call was lost. */
  #once<T>(key: string, make: () => T): T {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#byKey.set(key, made);
    return made;
  }
}

/** What others say of a PR is a comment to the forge, and no verdict. */
const mayWrite = (author: string): boolean => author !== STRANGER;

const oneLine = (title: string): string => title.replaceAll(/\s*\r?\n\s*/g, " ");

const notFound = (what: number | string): OperationError =>
  new OperationError(
    `there is no ${typeof what === "number" ? `#${what}` : what} in the simulated forge`,
    {
      code: "not-found",
      hint: "look at the numbers that there are",
    },
  );
