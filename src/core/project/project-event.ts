// Facts about a project: what it is, what it is configured to be, what is in its backlog.
import type { Spent } from "../budget.ts";
import type { ProjectConfig, Upstream } from "../config.ts";
import type { ForgeSettings } from "../forge-settings.ts";
import type { Commit, ProjectName, RunId } from "../ids.ts";
import type { Letter } from "../mail/letter.ts";
import type { RunOutcome } from "../run/run.ts";
import type { SetUpTold } from "../set-up.ts";
import type { TargetTold } from "../target-proof.ts";
import type { Task, TaskWithdrawn } from "../task.ts";
import type { IssueFacts } from "./backlog.ts";

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
  /**
   * What is new since the last look: issues as they are now, and those that are `gone`. `seen`: which
   * revision of the tracker was compared with which version of the backlog.
   */
  | {
      kind: "issues-observed";
      at: number;
      issues: IssueFacts[];
      gone?: number[];
      seen?: { revision: string; backlogVersion: number };
    }
  | { kind: "forge-settings-observed"; at: number; settings: ForgeSettings }
  /** An issue was worked on before, by a run that this journal does not know. */
  | { kind: "attempts-found"; at: number; issue: number; attempts: number }
  /** `head`: where it landed, with what. */
  | { kind: "run-ended"; at: number; run: RunId; outcome: RunOutcome; epoch: number; head?: Commit }
  /** Nothing of the run is left: no session, and a workspace only if it is kept on purpose. */
  | { kind: "run-cleared"; at: number; run: RunId }
  /** A landing that was under way when its run was withdrawn has succeeded. */
  | { kind: "head-landed"; at: number; issue: number; head: Commit }
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
  | {
      kind: "account-limited";
      at: number;
      until: number;
      reason: string;
      /** Not in events of an earlier version: the project's own. */
      account?: string;
      /** It is no limit: its agent could not be started. */
      cannotStart?: true;
      /** It ends within minutes, and no person is asked about it. */
      isShort?: true;
      /** The run that asks a person about it. */
      run?: RunId;
    }
  /** An agent works with it again. */
  | { kind: "account-freed"; at: number; account?: string }
  /** The agent of this run cannot continue; these accounts may, in this order. */
  | { kind: "agent-wanted"; at: number; run: RunId; options: string[] }
  /** A person has answered a run of this project: after its limit, work may continue. */
  | { kind: "limit-answered"; at: number }
  /** A letter for an agent or a role came: a running agent with that address gets it. */
  | { kind: "mail-posted"; at: number; letter: Letter }
  /** A run has used this much more. */
  | ({ kind: "usage-spent"; at: number; role: string } & Spent)
  /** A person allows the day's budget that is spent once more. */
  | { kind: "budget-allowed"; at: number; by: string }
  /** A task is requested; told to the project, which gives it a run. */
  | { kind: "task-requested"; at: number; task: Task }
  | TargetTold
  | SetUpTold
  | TaskWithdrawn;
