// Turns what Claude Code tells its hooks and its statusline into Pawl's own spool events. The hook
// script itself understands nothing: it stays small, and quotes in a command cannot fool it.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../../lib/json-object.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { cleanText, pastedText } from "./clean-text.ts";
import { listIn, numberIn, objectIn, parsePayload, textIn, type Payload } from "./payload.ts";
import { permissionText } from "./shows-question.ts";
import { turnFailure } from "./stop-failure.ts";

type Told = { kind: string; [field: string]: unknown };

const MESSAGE_MAX_BYTES = 1024 * 1024;
const SUMMARY_MAX = 300;
const TEXT_MAX = 4000;
const CHOICES_MAX = 10;

export async function translate(request: {
  dir: string;
  text: string;
  at: number;
}): Promise<string[] | undefined> {
  const { dir, text, at } = request;
  const payload = parsePayload(text);
  if (payload === undefined || payload["v"] !== undefined) return undefined;
  const event = textIn(payload, "hook_event_name");
  const clock = textIn(payload, "pawl_clock");
  if (event === undefined && clock === undefined) return undefined;
  const told =
    event === "UserPromptSubmit"
      ? [await promptSubmitted(payload, dir)]
      : clock === undefined
        ? tell(event ?? "", payload, at)
        : [statusline(payload, clock)];
  return told.map((one) => JSON.stringify({ v: 1, at, ...one }, cut));
}

/** The spool refuses what is too long as a whole: the end of one text is lost rather than the event. */
const cut = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.slice(0, TEXT_MAX) : value;

function tell(event: string, payload: Payload, at: number): Told[] {
  switch (event) {
    case "SessionStart":
      return textIn(payload, "source") === "compact" ? [] : [{ kind: "started" }];
    case "PreToolUse":
      return [toolUse(payload)];
    case "PostToolUse":
    case "PostToolUseFailure":
      return [toolUse(payload), { kind: "answered", id: questionId(payload) }];
    case "PermissionRequest":
      return [question(payload)];
    case "Stop":
      return [{ kind: "stop", background: backgroundOf(payload) }];
    case "StopFailure":
      return failed(payload, at);
    case "PreCompact":
      return [{ kind: "compact" }];
    // What the rest says is known from a stronger source, or changes nothing.
    default:
      return [];
  }
}

function toolUse(payload: Payload): Told {
  const input = objectIn(payload, "tool_input");
  const file = textIn(input, "file_path") ?? textIn(input, "notebook_path");
  const summary =
    textIn(input, "command") ?? file ?? textIn(input, "pattern") ?? textIn(input, "description");
  return {
    kind: "tool",
    tool: textIn(payload, "tool_name") ?? "unknown",
    summary: summary?.slice(0, SUMMARY_MAX),
    file: textIn(payload, "hook_event_name") === "PostToolUse" ? file : undefined,
  };
}

/** The same call, before and after it was allowed. */
function questionId(payload: Payload): string {
  const call = JSON.stringify([payload["tool_name"], payload["tool_input"]]);
  return createHash("sha256").update(call).digest("hex").slice(0, 16);
}

function question(payload: Payload): Told {
  const tool = textIn(payload, "tool_name") ?? "a tool";
  const input = objectIn(payload, "tool_input");
  const [asked] = listIn(input, "questions");
  const id = questionId(payload);
  if (isObject(asked)) {
    const options = listIn(asked, "options").filter(isObject).slice(0, CHOICES_MAX);
    const choices = options.flatMap((option) => textIn(option, "label") ?? []);
    return { kind: "question", id, text: textIn(asked, "question") ?? tool, choices };
  }
  const what = textIn(input, "command") ?? textIn(input, "file_path") ?? JSON.stringify(input);
  const text = permissionText(tool, what.slice(0, 1000));
  return { kind: "question", id, text, choices: ["Yes", "No"] };
}

/** A turn is over only when it has no background task and nothing is going to wake it. */
const backgroundOf = (payload: Payload): number =>
  listIn(payload, "background_tasks").length + listIn(payload, "session_crons").length;

function failed(payload: Payload, at: number): Told[] {
  const { kind, reason, until } = turnFailure(payload, at);
  if (kind === "limit" || kind === "retry") return [{ kind: "limit", until, reason }];
  // Without its time and its words: one that came back before its answer is the same question.
  const id = `failure-${kind}`;
  return [{ kind: "question", id, text: `${kind}: ${reason}`, choices: ["Try again"] }];
}

function statusline(payload: Payload, clock: string): Told {
  const use = objectIn(payload, "context_window");
  const size = numberIn(use, "context_window_size") ?? 0;
  const used = numberIn(use, "total_input_tokens") ?? 0;
  const context = size > 0 ? Math.min(100, Math.round((1000 * used) / size) / 10) : undefined;
  return { kind: "statusline", clock, context };
}

/** A message counts as delivered only where the agent's own copy is equal to what was sent. */
async function promptSubmitted(payload: Payload, dir: string): Promise<Told> {
  const prompt = pastedText(textIn(payload, "prompt") ?? "");
  const id = /^Id: (\S+)\nKind: /.exec(prompt)?.[1];
  if (id === undefined || !/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(id)) return { kind: "prompt" };
  const sent = await messageOf(dir, id);
  const equal = sent !== undefined && cleanText(sent) === prompt;
  return equal ? { kind: "prompt", id } : { kind: "prompt" };
}

async function messageOf(dir: string, id: string): Promise<string | undefined> {
  for (const folder of ["cur", "typed", "new"]) {
    const text = await readUntrusted(join(dir, "inbox", folder, `${id}.md`), MESSAGE_MAX_BYTES);
    if (text !== undefined) return text;
  }
  return undefined;
}
