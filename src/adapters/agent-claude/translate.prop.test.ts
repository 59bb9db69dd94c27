// Whatever Claude Code's hooks say: what is known is told as Pawl's own events, all of which are
// understood; what is not known is left as it is, and refused with a reason.
import { tmpdir } from "node:os";
import fc from "fast-check";
import { expect, test } from "vitest";
import { distort, distortion } from "../../../test/support/distort.ts";
import { parseSpool } from "../../core/session/spool.ts";
import { translate } from "./translate.ts";

const RUNS = 500;
const CALL = { tool_name: "Bash", tool_input: { command: "make", description: "d" } };
const QUESTIONS = [{ question: "Which?", options: [{ label: "a" }, { label: "b" }] }];
const USE = { context_window_size: 200_000, total_input_tokens: 5000 };
const PAYLOADS: Record<string, unknown>[] = [
  { hook_event_name: "SessionStart", source: "startup" },
  { hook_event_name: "PreToolUse", ...CALL },
  { hook_event_name: "PostToolUse", tool_name: "Write", tool_input: { file_path: "/w/a.txt" } },
  { hook_event_name: "PermissionRequest", ...CALL },
  {
    hook_event_name: "PermissionRequest",
    tool_name: "AskUserQuestion",
    tool_input: { questions: QUESTIONS },
  },
  { hook_event_name: "Stop", background_tasks: [{ id: "b" }], session_crons: [] },
  { hook_event_name: "StopFailure", error: "rate_limit", error_message: "limit reached" },
  { hook_event_name: "PreCompact", trigger: "auto" },
  { hook_event_name: "UserPromptSubmit", prompt: "Id: m1\nKind: note\n\ntext" },
  { pawl_clock: "10:00:00", context_window: USE },
].map((payload) => ({ session_id: "s", ...payload }));

test("a payload with one place distorted is told in events that are understood, or refused with a reason", async () => {
  const holds = async (payload: Record<string, unknown>, how: Parameters<typeof distort>[1]) => {
    const { value, place } = distort(payload, how);
    const text = JSON.stringify(value);
    const told = (await translate({ dir: tmpdir(), text, at: 5 })) ?? [text];
    const whys = told.map(parseSpool).map((one) => (one.kind === "refused" ? one.why : ""));
    const about = `${place} ${how.how}`;
    // An event that is not known changes nothing; one that is known is told.
    const isUnknown = /hook_event_name$|source$/.test(place);
    expect(told.length > 0 || isUnknown, about).toBe(true);
    // What is no payload of Claude Code's is refused as a whole, an invalid clock by its name.
    const isNone = /hook_event_name$|pawl_clock$/.test(place) || place === "";
    for (const why of whys) expect(why === "" || isNone, `${about}: ${why}`).toBe(true);
  };
  const property = fc.asyncProperty(fc.constantFrom(...PAYLOADS), distortion, holds);
  await fc.assert(property, { numRuns: RUNS });
});
