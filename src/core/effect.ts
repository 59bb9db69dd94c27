// What must now be done, as data. An effect is written to the journal in the same transaction as
// the state that wants it, BEFORE it is carried out, and carrying it out twice is harmless. Its
// outcome comes back as the event named beside it (or `effect-failed`), and removes it.
import type { CiConfig, WorkspaceConfig } from "./config.ts";
import type { Event } from "./event.ts";
import type { ActionEffect } from "./action/action.ts";
import type { FormulaEffect } from "./formula/formula-effect.ts";
import type { GateEffect } from "./gate/gate-effect.ts";
import type { AggregateId, Commit, RunId } from "./ids.ts";
import type { MergeStrategy } from "./merge-queue/entry.ts";
import type { PluginEffect } from "./plugin/plugin-effect.ts";
import type { PatrolEffect } from "./patrol/patrol-effect.ts";
import type { ReviewVerdict } from "./review.ts";
import type { FollowUp } from "./review/verdict.ts";
import type { ScheduleEffect } from "./schedule/schedule-effect.ts";
import type { SessionMarks } from "./session/session.ts";
import type { Signal } from "./signal.ts";
import type { VaultEffect } from "./vault/vault-effect.ts";

export type Effect =
  /** → issue-claimed | claim-lost */
  | { kind: "claim-issue"; issue: number; claim: string }
  /** → question-posted where it asks (`since`: the escalation it belongs to), else nothing. */
  | { kind: "say-on-issue"; on: number; body: string; since?: number }
  /** → issue-settled. Labels, closes and comments in one go; the forge makes each only once. */
  | {
      kind: "settle-issue";
      issue: number;
      close: boolean;
      addLabels: string[];
      removeLabels: string[];
      comment: string | undefined;
      /** A comment that holds this says the same already. */
      unless?: string;
      pr: { number: number; mergedAs: Commit | undefined } | undefined;
    }
  /** → pr-finished. The PR of a task, which has no issue to settle. */
  | { kind: "finish-pr"; pr: number; mergedAs: Commit | undefined }
  /** → review-prepared | review-conflicted. Builds the merged result and reads what is to be known. */
  | {
      kind: "prepare-review";
      pr: number;
      head: Commit;
      branch: string;
      title: string;
      issue: number | undefined;
      /** The head of the last review. */
      previous: Commit | undefined;
      diffMaxBytes: number;
      ref: string;
    }
  /** → review-posted. Comment, formal review, own older ones dismissed, follow-ups filed. */
  | {
      kind: "post-review";
      pr: number;
      head: Commit;
      verdict: ReviewVerdict;
      comment: string;
      body: string;
      followUps: FollowUp[];
    }
  /** → (nothing) On an issue or a PR, in the review role's name. */
  | { kind: "post-comment"; on: number; body: string }
  /** → workspace-prepared | workspace-unready */
  | {
      kind: "prepare-workspace";
      identity: string;
      branch: string;
      checkpoint: Commit | undefined;
      workspace: WorkspaceConfig;
      /** Where a new branch starts, where that is not the target's tip. */
      from?: Commit;
      /** Starts without the work of an earlier attempt. */
      fresh?: true;
      /** Continues from upstream's branch. */
      upstream?: true;
      /** Which of the port ranges is this workspace's. */
      slot: number;
    }
  /**
   * → session-spawned. What the prompt must tell is frozen here, so that a repeated spawn and the
   * first one agree; the rest of the brief comes from the run as it is then.
   */
  | {
      kind: "spawn-session";
      run: RunId;
      epoch: number;
      tell: { id: string; text: string }[];
      /** The life whose conversation is resumed, where the agent can resume one. */
      resumes?: number;
    }
  /** → session-ended. Ends the process, its leftovers and its terminal session. */
  | { kind: "end-session"; marks: SessionMarks; graceMs: number }
  /** → session-seen | session-unseen. Judged only after a look: what is known may be old. */
  | { kind: "look-at-session"; run: RunId; epoch: number }
  /** → (nothing) The phase path in /tmp, once no session writes there any more. */
  | { kind: "unlink-phase"; run: RunId; lastEpoch: number }
  /** → message-delivered */
  | { kind: "deliver-message"; run: RunId; epoch: number; id: string; text: string }
  /** → checkpoint-made */
  | { kind: "checkpoint"; identity: string; reason: string }
  /** → branch-fetched */
  | { kind: "fetch-branch"; identity: string; branch: string; ordinal: number }
  /** → branch-published | branch-overtaken. Pushes the branch (where there is a remote) and makes sure of its PR. */
  | {
      kind: "publish-branch";
      branch: string;
      head: Commit;
      title: string;
      body: string;
      /** Undefined for the branch of a task. */
      issue: number | undefined;
      target: string;
    }
  /** → check-started, then check-finished | check-conflicted. Checks the merged result. */
  | {
      kind: "check-branch";
      branch: string;
      head: Commit;
      ci: CiConfig;
      strategy: MergeStrategy;
      title: string;
    }
  /** → workspace-removed, or workspace-kept where something in it cannot be saved. */
  | {
      kind: "remove-workspace";
      identity: string;
      teardown: WorkspaceConfig;
      run: RunId;
      lastEpoch: number;
    }
  /** → (nothing) What Pawl's CI says of a head, for people on the forge. */
  | {
      kind: "post-status";
      head: Commit;
      state: "pending" | "success" | "failure" | "error";
      description: string;
    }
  /** → (nothing) The branch is deleted only while it still is at this head. */
  | { kind: "delete-branch"; branch: string; head: Commit }
  /** → (nothing) */
  | {
      kind: "notify";
      severity: "info" | "warning" | "urgent";
      title: string;
      body: string;
      /** The issue it is about, where it is about one. */
      issue?: number;
    }
  /** → conflicts-observed. Where the target is, which rules hold there, which heads conflict. */
  | {
      kind: "survey-queue";
      ref: string;
      /** Compared with each other, with the others and with the target … */
      fresh: Commit[];
      /** … these only with the target, and with the fresh ones. */
      others: Commit[];
    }
  /** → candidate-built | candidate-conflicted. `onto` is the target or the tip of an earlier build. */
  | {
      kind: "build-candidate";
      ref: string;
      onto: Commit;
      heads: { branch: string; head: Commit; message: string }[];
      strategy: MergeStrategy;
      /** The target and what is stacked on it, up to `onto`. */
      below?: Commit[];
      /** The program that may resolve conflicts. */
      resolve?: string[];
    }
  /** → (nothing) What these builds kept alive is no longer wanted. */
  | { kind: "release-candidates"; refs: string[] }
  /** → candidate-checked. One run decides; `confirms`: it was red once, and this is the second. */
  | { kind: "check-candidate"; ref: string; commit: Commit; ci: CiConfig; confirms: boolean }
  /** → target-checked. Is the bare target green? */
  | {
      kind: "check-target";
      ref: string;
      target: Commit;
      ci: CiConfig;
      /** A person wants it to run, even if a result is remembered. */
      fresh?: true;
    }
  /** → target-looked. What the CI server says of the bare target now; nothing is started there. */
  | { kind: "look-at-target"; ref: string; target: Commit }
  /** → landing-finished. Repeating it tells whether it happened. */
  | {
      kind: "land";
      ref: string;
      candidate: Commit;
      expected: Commit;
      /** Where upstream refuses the push: the PRs that a forge could merge instead. */
      prs?: { pr: number | undefined; branch: string; head: Commit }[];
      strategy?: MergeStrategy;
    }
  | FormulaEffect
  | PatrolEffect
  | PluginEffect
  | ScheduleEffect
  | GateEffect
  | VaultEffect
  | ActionEffect;

export type EffectKind = Effect["kind"];

/** An effect with the key that makes it one obligation, and the lane it waits in. */
export type Obligation = {
  key: string;
  /** Effects of one lane are carried out in order, one at a time; lanes run side by side. */
  lane: string;
  effect: Effect;
};

/** A fact for another aggregate, applied in the same transaction. */
export type Tell = { to: AggregateId; event: Event };

export type Output = {
  effects: Obligation[];
  /** Keys of waiting effects that are no longer wanted; one under way is aborted. */
  cancelled: string[];
  tells: Tell[];
  signals: Signal[];
};

/** Collects what a step wants done, in order. */
export const emptyOutput = (): Output => ({ effects: [], cancelled: [], tells: [], signals: [] });
