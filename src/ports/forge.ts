// Where issues, pull requests and reviews live: built in, Gitea/Forgejo, GitHub. One contract suite
// (forge.contract.ts) runs against each.
//
// Contract. Calls that make something carry a `key`: repeating the call with the same key returns
// what the first one made and makes nothing twice (invariant h), also after a crash between the
// request and its answer. Labels are created where missing. Lists are complete (paged to the end)
// and in the order of their numbers or times. Issues and PRs share one row of numbers, so that `#N`
// means one thing, and comments can be made on both. A call about a number that does not exist
// throws `not-found`; only `issue` and `pr` answer with undefined. Titles have one line. Where the
// author of what is made cannot be chosen, it is the account whose token is used.
import type { ForgeSettings } from "../core/forge-settings.ts";
import type { Commit } from "../core/ids.ts";
import type { Issue } from "../core/issue.ts";
import type { MergeStrategy } from "../core/merge-queue/entry.ts";
import type { ReviewFacts, ReviewVerdict } from "../core/review.ts";

/** `own`: Pawl made it, whichever account it used. */
export type Comment = {
  id: string;
  author: string;
  body: string;
  createdAt: number;
  own?: true;
};

/** Only the caller knows whether Pawl gave it. */
export type Review = Omit<ReviewFacts, "own">;

export type Pr = {
  number: number;
  title: string;
  body: string;
  branch: string;
  head: Commit;
  target: string;
  issue: number | undefined;
  state: "open" | "merged" | "closed";
  mergedAs: Commit | undefined;
  createdAt: number;
  updatedAt: number;
};

/** What one checker says of a commit, e.g. Pawl's own CI or a pipeline of the forge. */
export type Status = {
  context: string;
  state: "pending" | "success" | "failure" | "error";
  description: string;
  url: string | undefined;
};

/** A change of an issue. */
export type IssueChange = {
  kind: "labelled" | "unlabelled" | "closed" | "reopened";
  /** Only where it is about one. */
  label?: string;
  by: string;
  at: number;
};

/**
 * Who took an issue that is in progress. `holder`: this factory; an earlier one in this PAWL_HOME
 * whose journal is gone; another factory with the same account, running or not; another account.
 */
export type Claim = {
  /** As it was given to `claim`. */
  key: string;
  /** The account. */
  by: string;
  at: number;
  holder: "this" | "gone" | "sibling" | "stranger";
};

export type NewIssue = {
  title: string;
  body: string;
  labels: string[];
  key: string;
  author: string;
};

/** Title and body as they were until `at`. */
export type IssueEdit = { title: string; body: string; at: number };

/** What becomes of a PR that the forge is asked to merge. */
export type MergeOutcome =
  | { kind: "merged"; commit: Commit }
  /** Not yet: it is still looking at the PR, or waits for checks. */
  | { kind: "waiting"; why: string }
  | { kind: "refused"; why: string; hint: string };

export type IssuePage = {
  state: "open" | "closed" | "all";
  label?: string | undefined;
  after?: number | undefined;
  limit: number;
};

export type Forge = {
  issues(query: { state: "open" | "closed" | "all" }): Promise<Issue[]>;
  /**
   * At most `limit` issues after a number, in the order of their numbers, without reading the others.
   * Absent where a forge has only whole lists.
   */
  issuePage?(query: IssuePage): Promise<Issue[]>;
  /**
   * Differs from every earlier answer once an issue was made or changed since. Absent where a forge
   * cannot tell: then whole lists are compared.
   */
  revision?(): Promise<string>;
  issue(number: number): Promise<Issue | undefined>;
  createIssue(input: NewIssue): Promise<Issue>;
  editIssue(
    number: number,
    change: {
      title?: string;
      body?: string;
      state?: "open" | "closed";
      addLabels?: string[];
      removeLabels?: string[];
    },
  ): Promise<Issue>;
  /**
   * Who labelled, closed and reopened an issue, oldest first. Absent on the built-in tracker, where
   * only Pawl and its user write, and the journal has it all.
   */
  timeline?(issue: number): Promise<IssueChange[]>;
  /**
   * What an issue said before it was edited, oldest first; nothing is lost by an edit. Absent where
   * the forge shows its own history of edits to people.
   */
  edits?(issue: number): Promise<IssueEdit[]>;
  comments(issue: number): Promise<Comment[]>;
  comment(input: { issue: number; body: string; author: string; key: string }): Promise<Comment>;
  /**
   * Takes an issue for Pawl: `in-progress` on, `backlog` off. Lost where it is closed or already in
   * progress, unless it was this same `key` that took it (the call repeated after a crash).
   */
  claim(issue: number, key: string): Promise<{ kind: "claimed" } | { kind: "lost"; why: string }>;
  /** Undefined where it is not in progress, or where only a person's label says so. */
  claimOf(issue: number): Promise<Claim | undefined>;
  prs(query: { state: "open" | "all" }): Promise<Pr[]>;
  pr(number: number): Promise<Pr | undefined>;
  /**
   * PRs about this issue, in the order of their numbers: all that are open, and of those that ended
   * the ones among the last hundred. `own`: Pawl's account made it.
   */
  prsOf(issue: number): Promise<(Pr & { own: boolean })[]>;
  /** The open PR of this branch, made where there is none, its head brought up to date. */
  ensurePr(input: {
    branch: string;
    head: Commit;
    target: string;
    title: string;
    body: string;
    /** Undefined where no issue asked for it. */
    issue: number | undefined;
    key: string;
  }): Promise<Pr>;
  /** Records the end of a PR where the forge does not see it by itself. */
  finishPr(
    number: number,
    end: { state: "merged"; mergedAs: Commit } | { state: "closed" },
  ): Promise<void>;
  /**
   * Whether this forge may be asked to merge into this branch at all: only where its own rules keep
   * it from ever merging what does not stand on the tip of the branch. Absent where a forge cannot.
   */
  mayMerge?(
    target: string,
    strategy: MergeStrategy,
  ): Promise<{ kind: "allowed" } | { kind: "refused"; why: string; hint: string }>;
  /**
   * Merges an open PR, only at this head. One that is merged already, at this head, stays so and is
   * answered as the first time.
   */
  mergePr?(input: { pr: number; head: Commit; strategy: MergeStrategy }): Promise<MergeOutcome>;
  reviews(pr: number): Promise<Review[]>;
  review(input: {
    pr: number;
    head: Commit;
    verdict: ReviewVerdict;
    body: string;
    author: string;
    key: string;
  }): Promise<Review>;
  /** A review that no longer counts; one that was dismissed already stays so. */
  dismissReview(input: { pr: number; id: string; why: string }): Promise<void>;
  /** The latest of each context, in the order of their names. */
  statuses(commit: Commit): Promise<Status[]>;
  /**
   * Names what is queued or running for this commit and is not among its statuses. Absent where
   * everything that runs has a status.
   */
  running?(commit: Commit): Promise<string[]>;
  /** What the protection of this branch requires to be green; none where a forge has no such thing. */
  requiredContexts?(branch: string): Promise<string[]>;
  /** Replaces what this context said of this commit; a repeated call changes nothing. */
  setStatus(commit: Commit, status: Status): Promise<void>;
  /** How the repository is set there. Absent where nothing can be set. */
  settings?(): Promise<ForgeSettings>;
  /** Has PRs that were landed by a push shown as merged, where `settings` says that this may. */
  showMerges?(): Promise<void>;
  /** Who the calls are made as; undefined where authors can be chosen. */
  account(): Promise<{ login: string; reviewer: string } | undefined>;
};
