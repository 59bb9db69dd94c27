// What a fake GitHub remembers of one repository. Branches live in a real bare repository beside it.
import { execFileSync } from "node:child_process";
import { createContains, looseRef } from "../loose-ref.ts";

export type FakeIssue = {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  labels: string[];
  author: string;
  assignees: string[];
  created: number;
  updated: number;
  pr?: {
    branch: string;
    /** Whose fork the branch is in; undefined where it is in the repository itself. */
    fork?: string | undefined;
    base: string;
    head: string;
    mergedAt?: number;
    mergedAs?: string;
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
  state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  body: string;
  author: string;
  association: string;
  commit: string;
  submitted: number;
};
export type FakeStatus = {
  commit: string;
  context: string;
  state: string;
  description: string;
  url: string | null;
};
export type FakeCheckRun = {
  id: number;
  commit: string;
  name: string;
  status: string;
  conclusion: string | null;
};

export class FakeGithubState {
  /**
   * Who may do what, by "Get repository permissions for a user". Collaborators and members may have
   * "read" only; an account that is neither has "read" of a public repository.
   */
  readonly permissions = new Map([
    ["pawl-dev", "write"],
    ["pawl-review", "write"],
    ["bob", "write"],
    ["stranger", "read"],
  ]);
  readonly labels: { id: number; name: string; color: string }[] = [];
  readonly issues: FakeIssue[] = [];
  readonly reviews: FakeReview[] = [];
  readonly statuses: FakeStatus[] = [];
  readonly checkRuns: FakeCheckRun[] = [];
  readonly suites: { commit: string; status: string; app: string; runs: number }[] = [];
  comments: FakeComment[] = [];
  /** "List timeline events for an issue": those about labels and state. */
  readonly events: { issue: number; event: string; by: string; at: number; label?: string }[] = [];
  /** Contexts that branch protection requires of main, and those that a ruleset does. */
  protection: string[] = [];
  ruleset: string[] = [];
  /** Whether those require branches to be up to date; approvals that are missing. */
  isStrict = true;
  approvals = 0;
  /** What the tokens' accounts may do in the repository. */
  isAdmin = false;
  mayPush = true;
  /** What "Actions" say of a commit that was pushed to a branch of Pawl's; nothing by default. */
  actions: (commit: string) => { name: string; conclusion: string }[] = () => [];
  readonly bare: string;
  readonly contains = createContains((...args) => this.git(...args));
  #id = 5000;
  #clock = Date.now();

  constructor(bare: string) {
    this.bare = bare;
  }

  id(): number {
    this.#id += 1;
    return this.#id;
  }

  /** GitHub's times have seconds, and go on. */
  now(): number {
    this.#clock = Math.max(Date.now(), this.#clock + 1);
    return this.#clock;
  }

  git(...args: string[]): string | undefined {
    try {
      const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "ignore"];
      return execFileSync("git", ["-C", this.bare, ...args], { encoding: "utf8", stdio }).trim();
    } catch {
      return undefined;
    }
  }

  note({ number }: FakeIssue, event: string, who: { by: string; label?: string }): void {
    this.events.push({ issue: number, event, ...who, at: this.now() });
  }

  commitTree(tree: string, parents: string[], message: string): string {
    const as = ["-c", "user.name=GitHub", "-c", "user.email=noreply@github.test"];
    return this.git(...as, "commit-tree", tree, ...parents, "-m", message) ?? "";
  }

  /** Of main, by protection and by rulesets. */
  required(): string[] {
    return [...new Set([...this.protection, ...this.ruleset])];
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
    return this.issues.find((one) => one.number === number);
  }

  add(of: Pick<FakeIssue, "title" | "body" | "labels" | "author"> & Partial<FakeIssue>): FakeIssue {
    const at = this.now();
    const made: FakeIssue = {
      number: this.issues.length + 1,
      state: "open",
      assignees: [],
      created: at,
      updated: at,
      ...of,
    };
    this.issues.push(made);
    return made;
  }

  comment(of: { issue: number; body: string; author: string }): FakeComment {
    const made = { ...of, id: this.id(), created: this.now() };
    this.comments.push(made);
    const issue = this.issue(of.issue);
    if (issue !== undefined) issue.updated = made.created;
    return made;
  }

  /** After a push: PRs whose head is on their base are merged, those without a branch closed. */
  settlePushes(): void {
    this.#runActions();
    for (const issue of this.issues) {
      const { pr } = issue;
      if (pr === undefined || issue.state === "closed") continue;
      const tip = this.tipOf(pr);
      const head = tip ?? pr.head;
      const isOn = this.contains(this.tip(pr.base), head);
      if (isOn) this.merge(issue, this.tip(pr.base) ?? head);
      else if (tip === undefined) issue.state = "closed";
      else if (tip !== pr.head) issue.updated = this.now();
      if (tip !== undefined) pr.head = tip;
    }
  }

  #runActions(): void {
    const tips = this.git("for-each-ref", "--format=%(objectname)", "refs/heads/pawl") ?? "";
    for (const commit of tips.split("\n").filter((one) => one !== "")) {
      if (this.checkRuns.some((run) => run.commit === commit)) continue;
      for (const { name, conclusion } of this.actions(commit)) {
        this.checkRuns.push({ id: this.id(), commit, name, status: "completed", conclusion });
      }
    }
  }

  merge(issue: FakeIssue, commit: string): void {
    if (issue.pr === undefined) return;
    const at = this.now();
    Object.assign(issue.pr, { mergedAt: at, mergedAs: commit });
    Object.assign(issue, { state: "closed", updated: at });
    const closes = /\b(?:fixes|closes|resolves) #(\d+)/i.exec(issue.body)?.[1];
    const closed = closes === undefined ? undefined : this.issue(Number(closes));
    if (closed !== undefined && closed.pr === undefined) closed.state = "closed";
  }
}
