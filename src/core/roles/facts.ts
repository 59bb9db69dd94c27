// What the preflight of a standing role looks at. Collected by the daemon, judged by code alone.
import type { IssueFacts } from "../project/backlog.ts";

export type RoleIssue = IssueFacts & {
  bodyLength: number;
  /** Boxes to tick: acceptance criteria. */
  boxes: number;
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
  machine: { freeMb: number; diskUsedPercent: number; loadPerCore: number };
  /** Of VISION.md on the target; undefined where there is none. */
  vision: string | undefined;
};

export type Finding = {
  /** The same thing seen again has the same name, so that nobody is asked about it twice. */
  name: string;
  level: "P0" | "P1" | "P2" | "P3" | "P4";
  text: string;
};
