import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { translate } from "./translate.ts";

const AT = 1_000;
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "pawl-translate-"));
  await mkdir(join(dir, "inbox", "cur"), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true }));

async function told(payload: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const texts = await translate({ dir, text: JSON.stringify(payload), at: AT });
  return (texts ?? []).map((text) => JSON.parse(text) as Record<string, unknown>);
}

const hook = (name: string, fields: Record<string, unknown> = {}) =>
  told({ session_id: "s", hook_event_name: name, ...fields });

test("Pawl's own events and other texts are not Claude Code's", async () => {
  const own = JSON.stringify({ v: 1, kind: "ping", at: 1 });
  expect(await translate({ dir, text: own, at: AT })).toBeUndefined();
  expect(await translate({ dir, text: "nonsense", at: AT })).toBeUndefined();
});

test("a tool call is reported with its command, in every style of quotes", async () => {
  const input = { command: `g"i"t 'push'; rm -r -f x`, description: "d" };
  expect(await hook("PreToolUse", { tool_name: "Bash", tool_input: input })).toEqual([
    { v: 1, at: AT, kind: "tool", tool: "Bash", summary: `g"i"t 'push'; rm -r -f x` },
  ]);
});

test("a written file is named once it is written", async () => {
  const fields = { tool_name: "Write", tool_input: { file_path: "/w/a.txt", content: "x" } };
  const [before] = await hook("PreToolUse", fields);
  const [after] = await hook("PostToolUse", fields);
  expect(before).not.toHaveProperty("file");
  expect(after).toMatchObject({ tool: "Write", file: "/w/a.txt" });
});

test("a stop counts what still goes on in the background (defect 19)", async () => {
  const busy = { background_tasks: [{ id: "b" }], session_crons: [{}] };
  expect(await hook("Stop", busy)).toMatchObject([{ kind: "stop", background: 2 }]);
  const idle = { background_tasks: [], session_crons: [] };
  expect(await hook("Stop", idle)).toMatchObject([{ kind: "stop", background: 0 }]);
});

test("a permission that is asked is a question, and the call it allowed its answer", async () => {
  const call = { tool_name: "Bash", tool_input: { command: "make" } };
  const [asked] = await hook("PermissionRequest", call);
  expect(asked).toMatchObject({ kind: "question", choices: ["Yes", "No"] });
  expect(asked?.["text"]).toContain("make");
  const answered = (await hook("PostToolUse", call)).at(-1);
  expect(answered).toEqual({ v: 1, at: AT, kind: "answered", id: asked?.["id"] });
});

test("a question of the model's own keeps its choices", async () => {
  const options = [{ label: "Red" }, { label: "Blue" }];
  const questions = [{ question: "Which colour?", options }];
  const call = { tool_name: "AskUserQuestion", tool_input: { questions } };
  expect(await hook("PermissionRequest", call)).toMatchObject([
    { kind: "question", text: "Which colour?", choices: ["Red", "Blue"] },
  ]);
});

test("a rate limit is a limit and never a failure (defect 18)", async () => {
  const fields = { error: "rate_limit", last_assistant_message: "try again in 2 hours" };
  expect(await hook("StopFailure", fields)).toMatchObject([
    { kind: "limit", until: AT + 7_200_000, reason: "rate_limit: try again in 2 hours" },
  ]);
});

test("an error that only a person can fix becomes a question", async () => {
  const fields = { error: "authentication_failed", last_assistant_message: "Invalid API key" };
  const [asked] = await hook("StopFailure", fields);
  expect(asked).toMatchObject({ kind: "question", choices: ["Try again"] });
  expect(asked?.["text"]).toBe("authentication: authentication_failed: Invalid API key");
});

test("the same failure in other words and at another time is the same question", async () => {
  const idOf = async (said: string, at: number): Promise<unknown> => {
    const fields = { error: "authentication_failed", last_assistant_message: said };
    const text = JSON.stringify({ hook_event_name: "StopFailure", ...fields });
    const [line] = (await translate({ dir, text, at })) ?? [];
    return (JSON.parse(line ?? "{}") as { id?: unknown }).id;
  };
  expect(await idOf("401 (request a)", AT)).toBe(await idOf("401 (request b)", AT + 1));
});

test("the statusline tells clock and measured context", async () => {
  const context_window = { context_window_size: 200_000, total_input_tokens: 54_010 };
  expect(await told({ pawl_clock: "10:00:00", context_window })).toEqual([
    { v: 1, at: AT, kind: "statusline", clock: "10:00:00", context: 27 },
  ]);
});

test("a prompt confirms a message only where the text is equal (defect 21)", async () => {
  const message = "Id: m3\nKind: ci-failed\n\nCI failed.\tlook\n";
  await writeFile(join(dir, "inbox", "cur", "m3.md"), message);
  const prompt = "Id: m3\nKind: ci-failed\n\nCI failed.    look";
  expect(await hook("UserPromptSubmit", { prompt })).toMatchObject([{ kind: "prompt", id: "m3" }]);
  // As Claude Code reports a paste from 2.1.328 on.
  const pasted = `\n\n<pasted_content id="cf20">\n${prompt}\n</pasted_content id="cf20">\n`;
  expect(await hook("UserPromptSubmit", { prompt: pasted })).toMatchObject([{ id: "m3" }]);
  const [more] = await hook("UserPromptSubmit", { prompt: `yes${pasted}` });
  expect(more).toEqual({ v: 1, at: AT, kind: "prompt" });
  const [other] = await hook("UserPromptSubmit", { prompt: `${prompt} and more` });
  expect(other).not.toHaveProperty("id");
  const [stranger] = await hook("UserPromptSubmit", { prompt: "hello" });
  expect(stranger).toEqual({ v: 1, at: AT, kind: "prompt" });
});

test("a payload that was cut at the spool's limit still tells which tool it was", async () => {
  const whole = JSON.stringify({
    hook_event_name: "PostToolUse",
    tool_name: "Write",
    tool_input: { content: "x".repeat(1000) },
  });
  const texts = await translate({ dir, text: whole.slice(0, 500), at: AT });
  expect(JSON.parse(texts?.[0] ?? "")).toMatchObject({ kind: "tool", tool: "Write" });
});
