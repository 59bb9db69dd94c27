// Tells whoever asked for a task what became of it; for an issue nobody asked.
import type { Context } from "../context.ts";
import type { TaskOutcome } from "../task.ts";
import type { Run } from "./run.ts";

export function tellAsker(run: Run, outcome: TaskOutcome, { at, output }: Context): void {
  if (run.work.kind !== "task") return;
  const { by, key } = run.work.task;
  output.tells.push({ to: by, event: { kind: "task-finished", at, key, run: run.id, outcome } });
}
