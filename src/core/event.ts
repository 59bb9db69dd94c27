// Everything that can happen, as past-tense facts that carry their own time. Events come from
// agents, the outside world, people, deadlines and finished effects. The core believes nothing else.
import type { ActionEvent } from "./action/action.ts";
import type { Spent } from "./budget.ts";
import type { CheckOutcome, ServerWord } from "./check.ts";
import type { ProjectConfig, Upstream } from "./config.ts";
import type { Obligation } from "./effect.ts";
import type { ForgeSettings } from "./forge-settings.ts";
import type { FormulaEvent } from "./formula/formula-event.ts";
import type { GateEvent } from "./gate/gate-event.ts";
import type { Commit, ProjectName, RunId, Tree } from "./ids.ts";
import type { Issue } from "./issue.ts";
import type { Letter, NewLetter } from "./mail/letter.ts";
import type { LandingOutcome } from "./merge-queue/entry.ts";
import type {
  BranchPlace,
  BuildConflict,
  ConflictFact,
  NewEntry,
  QueuePolicy,
  Resolution,
  ReturnReason,
} from "./merge-queue/queue.ts";
import type { PatrolEvent } from "./patrol/patrol-event.ts";
import type { PluginEvent } from "./plugin/plugin-event.ts";
import type { IssueFacts } from "./project/backlog.ts";
import type { RunOutcome } from "./run/run.ts";
import type { EarlierPr } from "./run/work.ts";
import type { ReviewFacts } from "./review.ts";
import type { ReviewMaterial, WantedReview } from "./review/reviews.ts";
import type { CheckpointOutcome } from "./session/checkpoint.ts";
import type { Sighting } from "./session/evidence.ts";
import type { SetUpTold, WorkspaceMade } from "./set-up.ts";
import type { TargetTold } from "./target-proof.ts";
import type { ScheduleEvent } from "./schedule/schedule-event.ts";
import type { ExitFacts, PaneFacts, ProcessFacts } from "./session/session.ts";
import type { ResultFile, Task, TaskOutcome } from "./task.ts";
import type { VaultEvent } from "./vault/vault-event.ts";

export type FailedEffect = {
  /** What was to be done, so that it can be asked for again. */
  obligation: Obligation;
  code: string;
  message: string;
  hint?: string;
};

/** Facts about a project: what it is, what it is configured to be, what is in its backlog. */
export type ProjectEvent =
  | {
      kind: "project-registered";
      at: number;
      name: ProjectName;
      root: string;
      upstream: Upstream;
      /** Where the repository would push now, and the operator has not agreed to. */
      asked?: Upstream;
    }
  | {
      kind: "project-configured";
      at: number;
      config: ProjectConfig;
      source: string;
      /** Of the text that is in force. */
      hash?: string;
    }
  | { kind: "config-rejected"; at: number; problem: string }
  /** What is new since the last look: issues as they are now, and those that are `gone`. */
  | { kind: "issues-observed"; at: number; issues: IssueFacts[]; gone?: number[] }
  | { kind: "forge-settings-observed"; at: number; settings: ForgeSettings }
  /** An issue was worked on before, by a run that this journal does not know. */
  | { kind: "attempts-found"; at: number; issue: number; attempts: number }
  /** `head`: where it landed, with what. */
  | { kind: "run-ended"; at: number; run: RunId; outcome: RunOutcome; epoch: number; head?: Commit }
  /** Nothing of the run is left: no session, and a workspace only if it is kept on purpose. */
  | { kind: "run-cleared"; at: number; run: RunId }
  /** `asked`: the repository has another remote than the one agreed to; without it, the same. */
  | { kind: "upstream-observed"; at: number; asked?: Upstream }
  | {
      kind: "outside-observed";
      at: number;
      commits: { commit: Commit; subject: string }[];
      /** Acknowledged ones that git no longer tells of. */
      forgotten?: Commit[];
    }
  | { kind: "outside-acknowledged"; at: number }
  | { kind: "project-paused"; at: number; by: string; why: string }
  | { kind: "project-resumed"; at: number }
  /** The account that this project's agents use has reached a limit, or its service fails. */
  | { kind: "account-limited"; at: number; until: number; reason: string }
  /** An agent works with it again. */
  | { kind: "account-freed"; at: number }
  /** A person has answered a run of this project: after its limit, work may continue. */
  | { kind: "limit-answered"; at: number }
  /** A letter for an agent or a role came: a running agent with that address gets it. */
  | { kind: "mail-posted"; at: number; letter: Letter }
  /** A run has used this much more. */
  | { kind: "usage-spent"; at: number; role: string; tokens: number; usd: number }
  /** A task is requested; told to the project, which gives it a run. */
  | { kind: "task-requested"; at: number; task: Task }
  | TargetTold
  | SetUpTold
  | TaskWithdrawn;

/** The asker no longer wants it; told to the project, and by it to the run. */
type TaskWithdrawn = { kind: "task-withdrawn"; at: number; key: string; why: string };

/** Told to the aggregate that asked for a task. */
export type AskerEvent = {
  kind: "task-finished";
  at: number;
  key: string;
  /** Undefined where it was never begun. */
  run: RunId | undefined;
  outcome: TaskOutcome;
};

/** Facts about one run: its issue, workspace, session, branch, checks, and what people decided. */
export type RunEvent =
  | {
      kind: "run-requested";
      at: number;
      project: ProjectName;
      run: RunId;
      issue: number;
      title: string;
      attempt: number;
      /** The first life of this run is the one after this. */
      lastEpoch: number;
      /** Which of the project's workspace slots (port ranges) this run has. */
      slot: number;
      config: ProjectConfig;
      /** An earlier agent refused it, because of these: it starts over on the target. */
      refusedFor?: number[];
      /** An earlier run landed this head, and the issue was opened again. */
      landedHead?: Commit;
    }
  | {
      kind: "task-given";
      at: number;
      project: ProjectName;
      run: RunId;
      task: Task;
      attempt: number;
      lastEpoch: number;
      slot: number;
      config: ProjectConfig;
    }
  /** The asker of the task accepts what the run offered, or says what is wrong with it. */
  | { kind: "task-accepted"; at: number; key: string }
  | { kind: "task-refused"; at: number; key: string; problem: string }
  | TaskWithdrawn
  | { kind: "pr-finished"; at: number }
  | ReviewConflicted
  /** The review role has given up on this head. */
  | { kind: "review-failed"; at: number; head: Commit; reason: string; times: number }
  | {
      kind: "issue-claimed";
      at: number;
      issue: Issue;
      comments?: { author: string; body: string }[];
      /** Its author is an account of Pawl's own. */
      own?: true;
      earlier?: EarlierPr;
      /** The open PR of an earlier run, which this one resumes. */
      goesOn?: { pr: number; branch: string };
    }
  | { kind: "claim-lost"; at: number; why: string }
  | WorkspaceMade
  | {
      kind: "session-spawned";
      at: number;
      epoch: number;
      pane: PaneFacts;
      process: ProcessFacts;
      phaseLink: "linked" | "taken";
      /** Messages that were part of its prompt. */
      told: string[];
      /** What a person should know about the way it was started. */
      warnings?: string[];
    }
  /** Its process lives. `asked`: the look that the run wanted. */
  | {
      kind: "session-seen";
      at: number;
      epoch: number;
      attached: boolean;
      sighting?: Sighting;
      asked?: boolean;
    }
  /** A look could not tell whether it lives: that is "unknown", never "dead". */
  | { kind: "session-unseen"; at: number; epoch: number }
  | { kind: "session-exited"; at: number; epoch: number; exit: ExitFacts | undefined }
  /** `used`: by that life, where its agent tells. */
  | { kind: "session-ended"; at: number; epoch: number; used?: Spent }
  /** What a living session has used since it started. */
  | { kind: "usage-observed"; at: number; epoch: number; tokens: number; usd: number }
  /** A budget of the day is spent; runs wait until the project says otherwise. */
  | { kind: "budget-closed"; at: number; until: number; reason: string }
  | { kind: "budget-opened"; at: number }
  /** `result`: what the result file held then, where there was one. */
  | {
      kind: "phase-observed";
      at: number;
      epoch: number;
      stamp: string;
      text: string;
      result?: ResultFile;
    }
  | { kind: "spool-received"; at: number; epoch: number; name: string; text: string }
  | { kind: "message-delivered"; at: number; epoch: number; id: string }
  | { kind: "message-acknowledged"; at: number; epoch: number; id: string }
  /** It could not be typed or was not accepted; it is tried again. */
  | { kind: "message-held"; at: number; epoch: number; id: string; reason: string }
  | {
      kind: "branch-fetched";
      at: number;
      ordinal: number;
      head: Commit;
      ahead: number;
      dirty: string[];
      /** What it adds to the repository; not in events of an earlier version. */
      bytes?: number;
      /** What it changes, where the task may change only some files. */
      paths?: string[];
      /** There are more paths than those, or it has no commit in common with the target. */
      unlisted?: true;
      /** Its content is already on the target. */
      landed: boolean;
    }
  | { kind: "branch-published"; at: number; head: Commit; pr: number }
  /** Another writer pushed to the branch: `theirs` is its head there, and the hub has it. */
  | { kind: "branch-overtaken"; at: number; head: Commit; theirs: Commit; log: string }
  | { kind: "check-started"; at: number; head: Commit }
  | { kind: "check-finished"; at: number; head: Commit; tree: Tree; outcome: CheckOutcome }
  | { kind: "check-conflicted"; at: number; head: Commit; target: Commit; files: string[] }
  | { kind: "reviews-observed"; at: number; reviews: ReviewFacts[] }
  | {
      kind: "issue-observed";
      at: number;
      state: "open" | "closed";
      labels: string[];
      /** Who closed or labelled it, where the forge tells. */
      by?: string;
    }
  | { kind: "entry-landed"; at: number; commit: Commit; head: Commit }
  | { kind: "entry-returned"; at: number; head: Commit; reason: ReturnReason }
  | { kind: "checkpoint-made"; at: number; outcome: CheckpointOutcome }
  /** The workspace of a living session could not be saved several times in a row. */
  | { kind: "save-failed"; at: number; why: string }
  | { kind: "workspace-removed"; at: number }
  /** It holds what cannot be saved, and is where it was. */
  | { kind: "workspace-kept"; at: number; unsaved: string[] }
  | { kind: "issue-settled"; at: number }
  | { kind: "run-stopped"; at: number; by: string }
  | { kind: "run-retried"; at: number; by: string }
  | { kind: "run-held"; at: number; by: string }
  | { kind: "run-released"; at: number; by: string }
  /** What this run asks is on its issue; what operators say after this comment answers it. */
  | { kind: "question-posted"; at: number; since: number; comment: string }
  /** `comment`: where it was said, if on the forge. */
  | {
      kind: "escalation-answered";
      at: number;
      by: string;
      text: string;
      comment?: { id: string; on: number };
    }
  /** Its agent is to start or to continue; with `epoch` only that session, and only if it has not begun. */
  | { kind: "run-nudged"; at: number; by: string; text: string; epoch?: number }
  | { kind: "mail-arrived"; at: number; letter: Letter }
  /** A letter that this run's agent wrote could not be taken. */
  | { kind: "mail-refused"; at: number; subject: string; problem: string };

/** Facts about a project's merge queue. */
export type QueueEvent =
  | { kind: "queue-opened"; at: number; project: ProjectName }
  | { kind: "entry-requested"; at: number; entry: NewEntry }
  | { kind: "entry-withdrawn"; at: number; branch: string; why: string }
  /** A person takes an entry out. */
  | { kind: "entry-removed"; at: number; entry: number; by: string }
  /** An operator allows this head to change the gates or the policy. */
  | { kind: "entry-approved"; at: number; entry: number; head: Commit; by: string }
  /** The target as it was seen, the rules at its tip, and every pair that conflicts, target included. */
  | {
      kind: "conflicts-observed";
      at: number;
      ref: string;
      target: Commit;
      policy: QueuePolicy;
      conflicts: ConflictFact[];
    }
  /**
   * The project asks whether its gate passes on the bare target. `look`: the target or its rules may
   * have changed; `fresh`: the gate runs again, even if a result is remembered.
   */
  | { kind: "proof-wanted"; at: number; look?: true; fresh?: true }
  /** The target was seen there: it may have been moved. */
  | { kind: "target-observed"; at: number; target: Commit }
  | {
      kind: "candidate-built";
      at: number;
      ref: string;
      /** The tip after each head, in order. */
      tips: Commit[];
      /** Heads that added nothing; `landed`: their work is in what is below, not just absent. */
      empty: { index: number; landed: boolean }[];
      /** Heads that change pawl.toml. */
      changesPolicy: number[];
      /** What each of those changes of it, in the same order; not in events of an earlier version. */
      protectedPaths?: string[][];
      /** Heads whose conflicts a program resolved. */
      resolved?: ({ index: number } & Resolution)[];
    }
  | ({ kind: "candidate-conflicted"; at: number; ref: string } & BuildConflict)
  | { kind: "candidate-checked"; at: number; ref: string; outcome: CheckOutcome }
  | { kind: "target-checked"; at: number; ref: string; target: Commit; outcome: CheckOutcome }
  | { kind: "target-looked"; at: number; ref: string; target: Commit; word: ServerWord }
  | { kind: "landing-finished"; at: number; ref: string; outcome: LandingOutcome }
  /** The branch of an entry that landed was removed from there. */
  | { kind: "branch-deleted"; at: number; branch: string; head: Commit; from: BranchPlace }
  | { kind: "queue-paused"; at: number; by: string; why: string }
  | { kind: "queue-resumed"; at: number; by: string }
  /** What was postponed because of the user's checkout may be tried again. */
  | { kind: "daemon-started"; at: number };

/** Facts about a project's mailbox. */
export type MailEvent =
  /** `run`: whose agent wrote it. */
  | { kind: "mail-sent"; at: number; project: ProjectName; letter: NewLetter; run?: RunId }
  /** A run began: letters that wait for its identity or role can be handed over now. */
  | { kind: "worker-started"; at: number; run: RunId; identity: string; role: string }
  /** It is among that run's messages. */
  | { kind: "mail-handed"; at: number; id: string; run: RunId }
  /** That run ended, and its agent had not read the letter. */
  | { kind: "mail-returned"; at: number; id: string; run: RunId }
  | { kind: "mail-read"; at: number; id: string; by: string }
  | { kind: "mail-acknowledged"; at: number; id: string; by: string };

/** Facts about the review role of a project. */
export type ReviewEvent =
  /** A run's branch is green, and waits for a review. */
  | { kind: "review-wanted"; at: number; wanted: WantedReview }
  /** It has new commits; or, `over`, its run has ended; `gone`: and so has the PR. */
  | { kind: "review-unwanted"; at: number; pr: number; over: boolean; gone?: true }
  | {
      kind: "review-prepared";
      at: number;
      pr: number;
      head: Commit;
      /** The merged result. */
      commit: Commit;
      material: ReviewMaterial;
    }
  | ReviewConflicted
  /** Its branch is not where it could be read. */
  | { kind: "review-skipped"; at: number; pr: number; head: Commit; why: string }
  | { kind: "review-posted"; at: number; pr: number; review: ReviewFacts };

/** Told to the review role, and by it to the run. */
type ReviewConflicted = {
  kind: "review-conflicted";
  at: number;
  pr: number;
  head: Commit;
  files: string[];
};

/** Facts that any aggregate may be told. */
export type CommonEvent =
  /** A deadline of this aggregate has passed. */
  | { kind: "deadline-passed"; at: number }
  /** The wall clock jumped (a laptop slept): every deadline moves by the gap. */
  | { kind: "clock-jumped"; at: number; gapMs: number }
  | { kind: "effect-failed"; at: number; failed: FailedEffect };

export type Event =
  | ProjectEvent
  | RunEvent
  | QueueEvent
  | MailEvent
  | FormulaEvent
  | ReviewEvent
  | GateEvent
  | VaultEvent
  | CommonEvent
  | PatrolEvent
  | PluginEvent
  | ScheduleEvent
  | ActionEvent
  | AskerEvent;
