// What only a person can settle in a merge queue: that it stands still, and landings that are held.
import type { WaitView } from "../../api/runs.ts";
import { attentionOf, type Attention } from "../../core/merge-queue/attention.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import { pausedBy } from "./queue.ts";

export function queueWaits(queue: Queue): WaitView[] {
  const paused = pausedBy(queue);
  const stopped: WaitView[] =
    paused === null
      ? []
      : [
          {
            project: queue.project,
            about: "merge queue",
            why: paused.why,
            needs_you: true,
            command: "pawl merge-queue resume",
            act: { kind: "resume-queue" },
          },
        ];
  const held = attentionOf(queue).map((attention): WaitView => {
    const { entry } = attention;
    return {
      project: queue.project,
      about: attention.branch ?? "merge queue",
      why: attention.why,
      needs_you: true,
      command: commandFor(attention, paused === null),
      ...(entry === undefined ? {} : { act: { kind: "approve-entry", entry } }),
    };
  });
  return [...stopped, ...held];
}

function commandFor({ kind, entry }: Attention, isRunning: boolean): string | null {
  if (entry !== undefined) return `pawl merge-queue approve e${entry}`;
  return kind === "checkout" && isRunning ? "pawl merge-queue resume" : null;
}
