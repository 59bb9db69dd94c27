// What is asked of a whole backlog again and again, read in one go: it may have thousands of issues,
// and a view that is asked for ten times a second cannot go through them each time.
import { asksForWork } from "../forge-settings.ts";
import { cycles, readiness } from "./backlog.ts";
import type { Project } from "./project.ts";
import { withWaits } from "./standstill.ts";

export type BacklogDigest = {
  open: number;
  /** The numbers of those that are ready, whether or not a run has them. */
  ready: number[];
  waiting: number;
  blocked: number;
  /** The first of those that are blocked. */
  blockedFirst: { number: number; title: string }[];
  /** Issues that wait for each other. */
  rings: number[][];
  /** One of them at least has a label that Pawl works by. */
  isAnyAsked: boolean;
};

/** Of blocked issues, so many are named; more of them are a count. */
const NAMED_MAX = 50;

export function digestOf(project: Pick<Project, "backlog" | "waits">): BacklogDigest {
  const issues = project.backlog.map((issue) => withWaits(project, issue));
  const kinds = issues.map((issue) => readiness(issue).kind);
  const blocked = issues.filter((_, index) => kinds[index] === "blocked");
  return {
    open: issues.length,
    ready: issues.flatMap(({ number }, index) => (kinds[index] === "ready" ? [number] : [])),
    waiting: kinds.filter((kind) => kind === "waits").length,
    blocked: blocked.length,
    blockedFirst: blocked.slice(0, NAMED_MAX).map(({ number, title }) => ({ number, title })),
    rings: cycles(issues),
    isAnyAsked: issues.some(asksForWork),
  };
}
