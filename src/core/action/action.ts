// An `action` issue: an operation that is carried out, not a change that is built. This file owns its
// state; step-action.ts changes it.
//
//   beginning ─> formula | task ─> settling ─> ended
//
// beginning: the issue is claimed and read: its front matter may name a formula.
// formula:   that formula runs.
// task:      an agent of the action role works on it; commits go the way of every branch.
// settling:  what came of it goes to the issue: a comment, and closed or blocked.
import type { Formula } from "../formula/formula.ts";
import type { ProjectName } from "../ids.ts";

export type ActionOutcome =
  | { kind: "done"; report: string }
  | { kind: "blocked"; reason: string }
  | { kind: "lost" | "closed"; reason: string };

export type Action = {
  kind: "action";
  project: ProjectName;
  issue: number;
  title: string;
  /** How often it was begun. */
  attempt: number;
  stage:
    | { kind: "beginning" }
    | { kind: "formula"; id: string }
    | { kind: "task"; key: string }
    | { kind: "settling"; outcome: ActionOutcome }
    | { kind: "ended"; outcome: ActionOutcome; at: number };
};

/** What could not even be begun is not begun again at every look. */
const AGAIN_MS = 5 * 60_000;

/** Asked where its issue is ready: no run works on it, and nothing keeps it from being begun. */
export function mayBeginAgain({ stage }: Action, at: number): boolean {
  if (stage.kind !== "ended") return false;
  return stage.outcome.kind !== "lost" || at - stage.at >= AGAIN_MS;
}

/** What its text says is to be done. */
export type ActionWork =
  | {
      kind: "formula";
      formula: Formula;
      vars: Record<string, string>;
      source: string;
      /** The issue and what was said on it, for the agents of the formula. */
      context?: string;
    }
  | {
      kind: "task";
      brief: string;
      model: string | undefined;
      /** As the project is configured; not in events of an earlier version. */
      limits?: { lifeMs: number; idleMs: number };
    }
  | { kind: "unclear"; problem: string };

export type ActionEvent =
  /** Its issue is open, ready and unclaimed. */
  | { kind: "action-wanted"; at: number; project: ProjectName; issue: number; title: string }
  | { kind: "action-begun"; at: number; work: ActionWork }
  | { kind: "action-lost"; at: number; why: string }
  /** A person has closed its issue. */
  | { kind: "action-unwanted"; at: number; why: string };

/** → action-begun | action-lost. Claims and reads the issue. */
export type ActionEffect = { kind: "begin-action"; issue: number; claim: string };
