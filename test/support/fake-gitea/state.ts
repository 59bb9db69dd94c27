// What a fake Gitea remembers: accounts, one repository, its issues, PRs, comments, reviews and
// statuses. Branches live in a real bare repository beside it. Times have seconds, as Gitea's.
import { execFileSync } from "node:child_process";
import { createContains, looseRef } from "../loose-ref.ts";

export type Label = { id: number; name: string; color: string };
export type FakeIssue = {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  labels: Label[];
  author: string;
  assignees: string[];
  created: number;
  updated: number;
  pr?: {
    branch: string;
    /** Whose fork the branch is in; undefined where it is in the repository itself. */
    fork?: string | undefined;
    base: string;
    merged: boolean;
    mergedAs?: string;
    head?: string;
    /** The head that Gitea has looked at; a merge of another one is asked to come again. */
    checked?: string;
  };
};
export type FakeComment = {
  id: number;
  issue: number;
  body: string;
  author: string;
  created: number;
};
export type FakeReview = {
  id: number;
  pr: number;
  state: string;
  body: string;
  author: string;
  commit: string;
  dismissed: boolean;
  official: boolean;
  created: number;
};
export type FakeStatus = {
  id: number;
  commit: string;
  context: string;
  state: string;
  description: string;
  url: string;
};

export class FakeState {
  /** Everybody else may read, comment and review. */
  readonly writers = new Set(["team", "pawl-dev", "pawl-review"]);
  readonly labels: Label[] = [];
  readonly issues: FakeIssue[] = [];
  readonly reviews: FakeReview[] = [];
  readonly statuses: FakeStatus[] = [];
  comments: FakeComment[] = [];
  /** What was changed of issues, as Gitea's timeline tells it. */
  readonly changes: {
    issue: number;
    type: string;
    by: string;
    at: number;
    label?: Label;
    body: string;
  }[] = [];
  /** "Allow manual merge" and "autodetect manual merge" of the repository. */
  manualMerge = true;
  autodetect = true;
  /** Contexts that the protection of main requires. */
  required: string[] = [];
  /** The other rules of main, as Gitea has them, and the ways to merge that the repository allows. */
  rule = { push: true, merge: true, blockOutdated: false, readable: false };
  styles = new Set(["merge", "rebase", "squash", "fast-forward-only"]);
  readonly bare: string;
  readonly contains = createContains((...args) => this.git(...args));
  #id = 0;

  constructor(bare: string) {
    this.bare = bare;
  }

  id(): number {
    this.#id += 1;
    return this.#id;
  }

  git(...args: string[]): string | undefined {
    try {
      const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "ignore"];
      return execFileSync("git", ["-C", this.bare, ...args], { encoding: "utf8", stdio }).trim();
    } catch {
      return undefined;
    }
  }

  note(
    issue: FakeIssue,
    change: { type: "label" | "close" | "reopen"; by: string; label?: Label; body?: string },
  ): void {
    this.changes.push({ body: "", ...change, issue: issue.number, at: Date.now() });
  }

  commitTree(tree: string, parents: string[], message: string): string {
    const as = ["-c", "user.name=forge", "-c", "user.email=forge@example.org"];
    return this.git(...as, "commit-tree", tree, ...parents, "-m", message) ?? "";
  }

  tip(branch: string): string | undefined {
    const ref = `refs/heads/${branch}`;
    return looseRef(this.bare, ref) ?? this.git("rev-parse", "--verify", "--quiet", ref);
  }

  /** Of the branch of a PR, which may be in a fork. */
  tipOf({ branch, fork }: { branch: string; fork?: string | undefined }): string | undefined {
    if (fork === undefined) return this.tip(branch);
    return this.git("rev-parse", "--verify", "--quiet", `refs/forks/${fork}/${branch}`);
  }

  issue(number: number): FakeIssue | undefined {
    return this.issues.find((issue) => issue.number === number);
  }

  touch(issue: FakeIssue): void {
    issue.updated = Date.now();
  }

  /** As Gitea's hooks do after a push: PRs that are on their base are merged, others closed. */
  settlePushes(): void {
    for (const issue of this.issues) {
      const { pr } = issue;
      if (pr === undefined || pr.merged || issue.state === "closed") continue;
      const tip = this.tipOf(pr);
      const head = tip ?? pr.head ?? "";
      const contained = this.contains(this.tip(pr.base), head);
      if (contained && this.autodetect) this.merge(issue, this.tip(pr.base) ?? head);
      else if (tip === undefined) issue.state = "closed";
      else if (tip !== pr.head) this.touch(issue);
      if (tip !== undefined) pr.head = tip;
    }
  }

  merge(issue: FakeIssue, commit: string): void {
    if (issue.pr === undefined) return;
    issue.pr.merged = true;
    issue.pr.mergedAs = commit;
    issue.state = "closed";
    this.touch(issue);
    const closes = /\b(?:fixes|closes) #(\d+)/i.exec(issue.body)?.[1];
    const closed = closes === undefined ? undefined : this.issue(Number(closes));
    if (closed !== undefined && closed.pr === undefined && closed.state === "open") {
      closed.state = "closed";
      this.touch(closed);
    }
  }
}
