// What a run works on: one issue, or a task of another aggregate. Everything about a run that
// depends on which of the two it is, is read here.
import type { Issue } from "../issue.ts";
import { taskIdentity, type ResultFile, type Task } from "../task.ts";

export type IssueWork = { kind: "issue" } & Pick<
  Issue,
  "number" | "title" | "body" | "labels" | "url"
> & {
    /** Unknown where an older version began the run. */
    author?: string;
    /** Filed by an account of Pawl's own, as `pawl issue add` does. */
    own?: true;
    /** What was said about it before the run began, oldest first. */
    comments?: { author: string; body: string }[];
    earlier?: EarlierPr;
  };

export type TaskWork = {
  kind: "task";
  task: Task;
  /** How often its answer was refused. */
  refusals: number;
  /** What the result file held when the last phase was written. */
  result: ResultFile | undefined;
};

export type Work = IssueWork | TaskWork;

/**
 * What came before on the forge: an open PR that is resumed, or the last one that was closed
 * without being merged. All of it was written by others, or may have been.
 */
export type EarlierPr = {
  number: number;
  title: string;
  state: "open" | "closed";
  /** The last comments and reviews, oldest first. */
  said: { author: string; body: string }[];
  /** What it changed, of one that was closed. */
  diff?: { text: string; isCut: boolean };
};

type Worker = { work: Work };

export const titleOf = ({ work }: Worker): string =>
  work.kind === "issue" ? work.title : work.task.title;

/** Undefined where it is no issue's. */
export const issueOf = ({ work }: Worker): number | undefined =>
  work.kind === "issue" ? work.number : undefined;

/** Where on the forge people are asked about it: its issue, or the one its task is about. */
export const askedOn = ({ work }: Worker): number | undefined =>
  work.kind === "issue" ? work.number : work.task.issue;

/** The step of a formula that it carries out, where it does. */
export const nodeOf = ({ work }: Worker): string | undefined =>
  work.kind === "task" ? work.task.node : undefined;

/** What a person types to mean this run: the issue's number, or the identity of a task. */
export const refOf = ({ work }: Worker): string =>
  work.kind === "issue" ? String(work.number) : taskIdentity(work.task);

/** The same, as it is shown. */
export const shownRef = (run: Worker): string =>
  run.work.kind === "issue" ? `#${refOf(run)}` : refOf(run);
