// What checkers read off the journal and the world by themselves. The core has functions for all of
// it: a mistake in one of those would hide itself from a checker that used it.
import type { FormulaRun } from "../src/core/formula/run.ts";
import type { Message } from "../src/core/run/message.ts";
import type { Run } from "../src/core/run/run.ts";
import type { World } from "./world.ts";

export const hasOutcome = ({ outcome }: Run): boolean => outcome !== undefined;

/** Nothing of it is left to clear away. */
export const isCleared = ({ stage }: Run): boolean => stage.kind === "ended";

export const issueIn = ({ work }: Run): number | undefined =>
  work.kind === "issue" ? work.number : undefined;

/** Where people are asked about it: its issue, or the one that its task is about. */
export const placeOf = ({ work }: Run): number | undefined =>
  work.kind === "issue" ? work.number : work.task.issue;

/** A person holds the run, or sits at the terminal of its living agent. */
export function isAttached(world: World, run: Run): boolean {
  if (run.held !== undefined) return true;
  const { project, id, session } = run;
  const marked = world.marked.get(`${project}/${id}/${session?.epoch ?? 0}`) ?? [];
  return marked.some(({ alive, attached }) => alive && attached);
}

/** The agent may not know of it yet. */
export const isUnread = ({ status }: Message): boolean =>
  ["queued", "delivered", "told"].includes(status);

/** As people write it here: one issue, in a section of its own. */
export const waitsFor = (body: string): number[] =>
  [...body.matchAll(/^## Depends on\n(?:- )?#(\d+)$/gm)].map(([, number]) => Number(number));

export const stepKind = ({ steps }: FormulaRun, step: string): string =>
  steps[step]?.kind ?? "waiting";

export const hasStepEnded = (run: FormulaRun, step: string): boolean =>
  ["done", "failed", "skipped"].includes(stepKind(run, step));
