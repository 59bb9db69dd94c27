// What the preflight of a standing role looks at, and what it can find. Collected by the daemon, judged by code alone.
import type { IssueFacts } from "../project/backlog.ts";

export type RoleIssue = IssueFacts & {
  bodyLength: number;
  /** Boxes to tick: acceptance criteria. */
  boxes: number;
  /** It says when it is done, by boxes or under a heading. */
  hasCriteria: boolean;
  /** Every issue it depends on, met or not. */
  dependsOn: number[];
  updatedAt: number;
};

export type RoleFacts = {
  at: number;
  /** The open ones. */
  issues: RoleIssue[];
  prs: { number: number; title: string; updatedAt: number }[];
  runs: {
    /** Alive and not waiting for a person. */
    active: number;
    /** Ended within the last day. */
    landed: number;
    blocked: number;
  };
  queue: { waiting: number; stopped: string | undefined };
  /** The last check of each run that had one, newest first. */
  checks: { passed: boolean; gate: string | undefined; at: number }[];
  machine: {
    freeMb: number;
    swapUsedMb: number;
    diskUsedPercent: number;
    loadPerCore: number;
    journalMb: number;
  };
  /** Sessions that outlived their runs. */
  leftovers: string[];
  /** Workspaces that no living run has, and that nothing has changed for a week. */
  staleWorkspaces: string[];
  /** Of the runs that are alive or ended lately: how their sessions went. */
  sessions: { run: string; crashes: number; redFixed: boolean }[];
  /** Errors in the daemon's log, as far as its end is read. */
  errors: string[];
  /** Letters to this role that wait to be read. */
  letters: { id: string; from: string; subject: string; body: string }[];
  /** Of VISION.md on the target; undefined where there is none. */
  vision: string | undefined;
  /** Of AGENTS.md on the target, and where it says that it was last reviewed. */
  agents: AgentsFile | undefined;
};

export type AgentsFile = {
  hash: string;
  reviewed: string | undefined;
  /** On the target since then. */
  commits: number;
};

export type Finding = {
  /** The same thing seen again has the same name, so that it is asked about only once. */
  name: string;
  level: "P0" | "P1" | "P2" | "P3" | "P4";
  text: string;
};
