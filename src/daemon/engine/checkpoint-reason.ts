// Which of the things that a session is seen to say are followed by a checkpoint, and what that says as
// its reason. Files change at tool calls and until a turn ends. A statusline comes every 30 s also where
// nothing is done, so that an idle session would be saved for ever.
import type { Event } from "../../core/event.ts";
import { parseSpool, type SpoolEvent } from "../../core/session/spool.ts";

const REASONS: ReadonlyMap<SpoolEvent["kind"], string> = new Map([
  ["tool", "tool call"],
  ["stop", "end of a turn"],
  ["hook", "hook"],
]);

export function checkpointReason(event: Event): string | undefined {
  if (event.kind === "phase-observed") return "phase";
  if (event.kind !== "spool-received") return undefined;
  const said = parseSpool(event.text);
  return said.kind === "event" ? REASONS.get(said.event.kind) : undefined;
}
