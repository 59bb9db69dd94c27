// What only a person can settle in a merge queue: that it stands still, landings that are held, and
// branches of people that were sent back.
import type { WaitView } from "../../api/runs.ts";
import { attentionOf, type Attention } from "../../core/merge-queue/attention.ts";
import { isEmpty, reasonText, stepAfterReturn } from "../../core/merge-queue/explain.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import { pausedBy } from "./queue.ts";

/** `isAtWork`: a daemon works on the queue. */
export function queueWaits(queue: Queue, isAtWork: boolean): WaitView[] {
  const paused = pausedBy(queue);
  const stopped: WaitView[] =
    paused === null
      ? []
      : [
          {
            project: queue.project,
            about: "merge queue",
            why: queue.stop === undefined ? `paused by ${paused.by}: ${paused.why}` : paused.why,
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
      command: commandFor(attention, { isRunning: paused === null, isAtWork }),
      ...(entry === undefined ? {} : { act: { kind: "approve-entry", entry } }),
    };
  });
  return [...stopped, ...held, ...sentBack(queue)];
}

/** An agent fixes its own branch. A person's branch waits until it is added again or removed. */
const sentBack = (queue: Queue): WaitView[] =>
  queue.past.flatMap((entry) => {
    const { branch, end } = entry;
    if (end.kind !== "returned" || stepAfterReturn(entry) === undefined) return [];
    return [
      {
        project: queue.project,
        about: branch,
        why: `sent back: ${reasonText(end.reason)}`,
        needs_you: true,
        command: `pawl merge-queue ${isEmpty(entry) ? "remove" : "explain"} ${branch}`,
      },
    ];
  });

/** A held landing is tried again at once: by a daemon that is told so, or by the command itself. */
function commandFor(
  { kind, entry }: Attention,
  { isRunning, isAtWork }: { isRunning: boolean; isAtWork: boolean },
): string | null {
  if (entry !== undefined) return `pawl merge-queue approve e${entry}`;
  if (kind !== "checkout" || !isRunning) return null;
  return isAtWork ? "pawl merge-queue resume" : "pawl merge-queue process --until-idle";
}
