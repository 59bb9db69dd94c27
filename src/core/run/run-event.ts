// Facts about one run: its issue, workspace, session, branch, checks, and what people decided.
import type { Choice } from "../agent-choice.ts";
import type { Spent } from "../budget.ts";
import type { CheckOutcome } from "../check.ts";
import type { ProjectConfig } from "../config.ts";
import type { Commit, ProjectName, RunId, Tree } from "../ids.ts";
import type { Issue } from "../issue.ts";
import type { Letter } from "../mail/letter.ts";
import type { ReturnReason } from "../merge-queue/queue.ts";
import type { ReviewFacts } from "../review.ts";
import type { ReviewConflicted } from "../review/review-event.ts";
import type { CheckpointOutcome } from "../session/checkpoint.ts";
import type { Sighting } from "../session/evidence.ts";
import type { ExitFacts, PaneFacts, ProcessFacts } from "../session/session.ts";
import type { WorkspaceMade } from "../set-up.ts";
import type { ResultFile, Task, TaskWithdrawn } from "../task.ts";
import type { LineComment } from "./message.ts";
import type { EarlierAttempt, EarlierPr } from "./run.ts";

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
      /** When the issue was filed; not in journals of an earlier version. */
      askedAt?: number;
      /** An earlier agent refused it, because of these: it starts over on the target. */
      refusedFor?: number[];
      /** An earlier run landed this head, and the issue was opened again. */
      landedHead?: Commit;
      /** Where there was a choice between agents. */
      choice?: Choice;
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
      /** An earlier run of the task landed this head; its workspace may still be there. */
      landedHead?: Commit;
      choice?: Choice;
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
      attempt?: EarlierAttempt;
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
      /** The walls that a probe found from inside; only where the project has any. */
      walls?: string[];
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
  | ({ kind: "usage-observed"; at: number; epoch: number } & Spent)
  /** A budget of the day is spent; runs wait until the project says otherwise. */
  | { kind: "budget-closed"; at: number; until: number; reason: string }
  | { kind: "budget-opened"; at: number }
  /** The project's answer to `agent-wanted`: this account's agent continues, or none can now. */
  | { kind: "agent-given"; at: number; account: string }
  | { kind: "agent-denied"; at: number }
  /** These accounts are no longer limited. */
  | { kind: "account-opened"; at: number; accounts: string[] }
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
  /** What an earlier run of the same issue left behind has landed after all. */
  | { kind: "run-head-landed"; at: number; head: Commit }
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
  /** `since`: of the question that was read, where that is known. `comment`: where it was said, if on the forge. */
  | {
      kind: "escalation-answered";
      at: number;
      by: string;
      text: string;
      since?: number;
      comment?: { id: string; on: number };
    }
  /** Its agent is to start or to continue; with `epoch` only that session, and only if it has not begun. */
  | { kind: "run-nudged"; at: number; by: string; text: string; epoch?: number }
  /** A person says something about lines of its changes. */
  | { kind: "line-commented"; at: number; comment: LineComment }
  | { kind: "mail-arrived"; at: number; letter: Letter }
  /** A letter that this run's agent wrote could not be taken. */
  | { kind: "mail-refused"; at: number; subject: string; problem: string };
