// Which buttons besides Stop a run has.
import type { RunView } from "../../api/runs.ts";

type Shown = Pick<RunView, "alive" | "starting" | "needs_you" | "held_by" | "stopped_by">;

export function verbsOf(run: Shown): string[] {
  const isStopped = typeof run.stopped_by === "string";
  const hasAgent = run.alive || run.starting === true;
  return [
    ...(isStopped || run.needs_you !== null || !hasAgent ? ["Retry"] : []),
    typeof run.held_by === "string" ? "Release" : "Hold",
  ];
}
