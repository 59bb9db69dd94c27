// Tells the asker of a task what became of it; an issue has no asker.
import type { Context } from "../context.ts";
import type { TaskOutcome } from "../task.ts";
import type { Run } from "./run.ts";

export function tellAsker(run: Run, outcome: TaskOutcome, { at, output }: Context): void {
  if (run.work.kind !== "task") return;
  const { by, key } = run.work.task;
  output.tells.push({ to: by, event: { kind: "task-finished", at, key, run: run.id, outcome } });
}
