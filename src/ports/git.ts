// Git, as Pawl needs it. One `Git` serves one project: its hub (a bare repository of Pawl's own),
// the private clones agents work in, and the way onto the target.
//
// Contract. Every call may be repeated after a crash at any instruction: it finds what an earlier
// try left behind and goes on. Nothing here runs inside the user's checkout, except the
// fast-forward in `land`. Hooks, fsmonitor, prompts, pagers and automatic gc are off. Failures are
// OperationError; conflicts, moved targets and refusals are results.
import type { Commit, Tree } from "../core/ids.ts";
import type { LandingOutcome, MergeStrategy } from "../core/merge-queue/entry.ts";
import type { BranchPlace, ChangedBy } from "../core/merge-queue/queue.ts";
import type { CheckpointOutcome } from "../core/session/checkpoint.ts";

export type CandidateRequest = {
  onto: Commit;
  /** In the order they would land. */
  heads: { branch: string; head: Commit; message: string }[];
  strategy: MergeStrategy;
  /** Kept alive under refs/pawl/queue/{ref} until released. */
  ref: string;
  /**
   * The program that may merge text which git cannot, with `{file}` for the file; what it leaves without
   * conflict marks counts as merged, and the commit says so. Its results are remembered.
   */
  resolve?: string[] | undefined;
};

export type CandidateOutcome =
  | {
      kind: "built";
      commit: Commit;
      tree: Tree;
      /** The tip after each head, in order. */ tips: Commit[];
      /** Heads whose conflicts the program resolved, and the files. */
      resolved: { index: number; files: string[] }[];
    }
  /**
   * `index` is the first head that conflicts with those before it; `tips`: after each of those; `why`:
   * what the program could not do.
   */
  | { kind: "conflict"; index: number; files: string[]; tips: Commit[]; why?: string };

export type BranchState = {
  head: Commit;
  tree: Tree;
  /** Commits of the branch that the target does not have. */
  ahead: number;
  /** What those commits take up in the hub, as git packs them. */
  bytes: number;
  /** Paths in the workspace that are changed or untracked and not committed. */
  dirty: string[];
  /** What is checked out there, where it is not this branch: another branch's ref, or a commit. */
  elsewhere?: string;
};

export type BranchPush =
  | { kind: "pushed" }
  /** `log`: their commits that ours lacks. */
  | { kind: "overtaken"; theirs: Commit; log: string };

export type AdoptedBranch = {
  head: Commit;
  from: "upstream" | "checkout";
  subject: string;
  /** What its own commits add to the repository; where all of them add little, what all do. */
  bytes: number;
};

/**
 * The code of the error of `checkout` where something that the commit needs is nowhere to be had (the
 * commit of a submodule, for example): its author has to change it.
 */
export const CHECKOUT_INCOMPLETE = "checkout-incomplete";

/** A command of git that takes its time, and how far it is. */
export type GitWork = {
  /** The folder that it fills (a workspace, a checkout), or the repository that it works in. */
  place: string;
  /** As in "checking out files". */
  step: string;
  percent: number;
};

export type Git = {
  /** Creates the hub where it is missing and fetches the target. Serialised per project by the adapter. */
  fetchTarget(): Promise<Commit>;
  treeOf(commit: Commit): Promise<Tree>;
  /** A file at a commit of the hub; undefined where the commit has no such file. */
  readFile(commit: Commit, path: string): Promise<string | undefined>;
  /**
   * The text files below a folder of the target as the hub last saw it, paths relative to the
   * folder; empty where there is no such folder. Files over `bytesMax` are left out.
   */
  targetFiles(request: {
    folder: string;
    filesMax: number;
    bytesMax: number;
  }): Promise<{ path: string; text: string }[]>;
  /**
   * A private clone for an identity: made, or found as it was left (also with uncommitted work).
   * A half-made or half-deleted one is made again, and what was left of it is moved aside. `from` is where a new branch starts; where `branch` is already
   * known to the hub, it starts there. Returns only when the checkout is complete.
   */
  prepareWorkspace(request: {
    path: string;
    branch: string;
    from: Commit;
    /** Rebuild from this identity's last checkpoint of the branch where the workspace is gone. */
    identity?: string;
    /** Continue from upstream's branch where the hub has none, or upstream's is on top of the hub's. */
    upstream?: true;
    /** Rebuild from this checkpoint where the workspace is gone and the identity has none. */
    checkpoint?: Commit;
  }): Promise<{ base: Commit; head: Commit; found: boolean }>;
  /** Fetches the branch from the workspace into the hub. The workspace's own config and hooks have no say. */
  fetchBranch(request: { workspace: string; branch: string; target: Commit }): Promise<BranchState>;
  /**
   * Brings branches that no workspace owns into the hub: upstream's, else those that only the user's
   * own repository has. For each in order; undefined where neither has it. `subject` is that of its
   * first own commit.
   */
  adoptBranches(request: { branches: string[] }): Promise<(AdoptedBranch | undefined)[]>;
  /**
   * Pushes a `pawl/*` branch to upstream, with a lease. Without a remote it does nothing. Another
   * writer's commits are never overwritten: they are reported, and fetched into the hub.
   */
  pushBranch(request: { branch: string; head: Commit }): Promise<BranchPush>;
  /**
   * Asks upstream whether it would take a new branch of this name, and changes nothing. Rules that
   * upstream applies only to a real push (protected names, hooks) are not seen. Fails where it would not.
   */
  tryPush(request: { branch: string }): Promise<void>;
  /**
   * Removes the branch from the hub and from upstream, if it still is at `head` there. Where
   * upstream is the user's own repository, a branch that is checked out stays. Says from where this
   * call removed it, the hub aside.
   */
  deleteBranch(request: { branch: string; head: Commit }): Promise<BranchPlace | undefined>;
  buildCandidate(request: CandidateRequest): Promise<CandidateOutcome>;
  releaseCandidate(ref: string): Promise<void>;
  /**
   * Which of these conflict, and where: every head with the target, and each fresh one with every
   * other head. What is known of the others among each other is not looked at again. In memory.
   */
  conflicts(request: {
    target: Commit;
    fresh: Commit[];
    others: Commit[];
  }): Promise<{ a: Commit; b: Commit; files: string[] }[]>;
  /**
   * Commits that `onto` has and `head` lacks and that change these files, the newest first. Merge
   * commits are left out.
   */
  changedBy(request: {
    onto: Commit;
    head: Commit;
    files: string[];
    limit: number;
  }): Promise<ChangedBy[]>;
  /** The paths that each commit of a chain changes against the one before it; all of them. */
  changedPaths(chain: Commit[]): Promise<string[][]>;
  /** Moves the target to a tested commit and says truly whether it did. */
  land(request: { candidate: Commit; expected: Commit }): Promise<LandingOutcome>;
  /**
   * True when everything `head` changed since it left the target is in `target` (merge, rebase and
   * squash alike). A branch without a commit of its own is never contained. `base` is where it left:
   * without it, a head that was fast-forwarded onto the target cannot be told from one that never
   * left it, and the answer is false.
   */
  contains(request: { target: Commit; head: Commit; base?: Commit }): Promise<boolean>;
  /**
   * A clean checkout of a commit at `path`, made from nothing: only the folders of `keep` are taken
   * over from what was there. Nothing else that ran there before has an influence. Submodules are
   * there as the commit pins them.
   */
  checkout(request: {
    commit: Commit;
    path: string;
    keep: string[];
    /** False: a plain folder of files without any history. */
    history: boolean;
    /** The only folders of the commit that are there, besides files above them. */
    sparse?: string[];
    /** Which commits may be asked for next at this path: a hint, for what can be written ahead. */
    next?: (() => Promise<Commit[]>) | undefined;
  }): Promise<{ tree: Tree }>;
  /** Saves everything git does not ignore on refs/pawl/checkpoints/{identity}. Changes nothing in the workspace. */
  checkpoint(request: {
    workspace: string;
    identity: string;
    reason: string;
    /**
     * Looks only at what a watch of the workspace saw change, where that is known. Events can be
     * missed: what is saved last must be saved without this.
     */
    quick?: true;
  }): Promise<CheckpointOutcome>;
  /** Log, stat and patch of the work since it left the target, uncommitted work included; each capped. */
  summary(request: {
    workspace: string;
    base: Commit;
    /** Holds what is in the workspace now, which spares reading it again. */
    checkpoint?: Commit;
    /** Where the patch is cut, if not at the usual length. */
    diffMaxBytes?: number;
  }): Promise<{ log: string; stat: string; diff: string; cut?: true }>;
  /**
   * What a head has changed since it left the target; the patch cut at `maxBytes`, and said so.
   * `cut`: there are more files than those. Undefined where neither the hub nor upstream has it any
   * more, or it has no commit in common with the target.
   */
  changesOf(request: {
    head: Commit;
    maxBytes: number;
  }): Promise<{ diff: string; files: string[]; cut?: true } | undefined>;
  /**
   * Commits and patch from one commit of the hub to another; the patch cut at `maxBytes`, and said
   * so. `cut`: there are more files than those.
   */
  compare(request: {
    from: Commit;
    to: Commit;
    maxBytes: number;
  }): Promise<{ log: string; diff: string; files: string[]; cut?: true }>;
  /**
   * Commits that came onto the target by a push into the user's own repository, as far as is known:
   * the newest first, and not all where there are many. Those that were acknowledged are forgotten.
   */
  outside(request: {
    acknowledged: readonly Commit[];
  }): Promise<{ commit: Commit; subject: string }[]>;
  /**
   * Removes a workspace once everything in it is saved on the identity's checkpoints: it is moved
   * aside, saved, compared and only then removed. What cannot be saved keeps it where it is.
   */
  removeWorkspace(request: {
    path: string;
    identity: string;
  }): Promise<{ kind: "removed" } | { kind: "kept"; unsaved: string[] }>;
  /** Commits on the target since `since` (first parents), oldest first, at most `limit`. */
  targetLog(request: {
    since?: Commit;
    limit: number;
  }): Promise<{ commit: Commit; subject: string }[]>;
  /** What takes its time at this moment; answered at once. */
  underWay(): Promise<GitWork[]>;
};
