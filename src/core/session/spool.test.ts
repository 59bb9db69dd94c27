import { expect, test } from "vitest";
import { parseSpool, type SpoolEvent } from "./spool.ts";

const said = (fields: Record<string, unknown>): string =>
  JSON.stringify({ v: 1, at: 5, ...fields });
const read = (fields: Record<string, unknown>): SpoolEvent | string => {
  const parsed = parseSpool(said(fields));
  return parsed.kind === "event" ? parsed.event : parsed.why;
};

test.each<[Record<string, unknown>, SpoolEvent]>([
  [
    { kind: "tool", tool: "Bash", summary: " npm test " },
    { kind: "tool", tool: "Bash", summary: "npm test", file: undefined },
  ],
  [{ kind: "started" }, { kind: "started" }],
  [
    { kind: "ping", silent: 61 },
    { kind: "ping", silent: 61 },
  ],
  [{ kind: "stop" }, { kind: "stop", background: 0 }],
  [
    { kind: "stop", background: 2 },
    { kind: "stop", background: 2 },
  ],
  [
    { kind: "prompt", id: "m3" },
    { kind: "prompt", id: "m3" },
  ],
  [
    { kind: "context", percent: 71.5 },
    { kind: "context", percent: 71.5 },
  ],
  [{ kind: "compact" }, { kind: "compact" }],
  [
    { kind: "statusline", clock: "10:00:00", context: 7 },
    { kind: "statusline", clock: "10:00:00", percent: 7 },
  ],
  [
    { kind: "question", text: "May I?", choices: ["Yes", "No", 3] },
    { kind: "question", id: "May I?", text: "May I?", choices: ["Yes", "No", "3"] },
  ],
  [
    { kind: "answered", id: "q1" },
    { kind: "answered", id: "q1" },
  ],
  [
    { kind: "usage", tokens: 1200, usd: 0.25 },
    { kind: "usage", tokens: 1200, usd: 0.25 },
  ],
  [
    { kind: "usage", model: "gpt-6", input_tokens: 100, output_tokens: 20, cache_read_tokens: 3 },
    {
      kind: "usage",
      tokens: 123,
      usd: 0,
      model: "gpt-6",
      parts: { input: 100, output: 20, cacheRead: 3, cacheWrite: 0 },
    },
  ],
  [{ kind: "limit" }, { kind: "limit", until: undefined, reason: "usage limit" }],
  [
    { kind: "limit", until: 1_800_000_000, reason: "5 h window" },
    { kind: "limit", until: 1_800_000_000_000, reason: "5 h window" },
  ],
  [
    { kind: "hook", work_phase: "testing", summary: "the parser", tests_status: "passed" },
    {
      kind: "hook",
      workPhase: "testing",
      summary: "the parser",
      files: [],
      tests: "passed",
      instructions: undefined,
    },
  ],
  [
    { kind: "help", text: "Which format?" },
    { kind: "help", text: "Which format?" },
  ],
])("%o is understood", (fields, event) => {
  expect(read(fields)).toEqual(event);
});

test.each<[string, string]>([
  ["no JSON", "not a JSON object"],
  ["", "not a JSON object"],
  ["[1]", "not a JSON object"],
  ["null", "not a JSON object"],
  [JSON.stringify({ kind: "stop", at: 1 }), "version undefined is not known"],
  [JSON.stringify({ v: 2, kind: "stop", at: 1 }), "version 2 is not known"],
  [JSON.stringify({ v: 1, kind: "stop", at: "now" }), "`at` is not a number"],
  [JSON.stringify({ v: 1, at: 1 }), "`kind` is not a string"],
  [said({ kind: "toString" }), 'kind "toString" is not known'],
  [
    said({ kind: "tool" }),
    "a field of tool: `tool` is missing, and should be a string that is not empty",
  ],
  [
    said({ kind: "stop", background: -1 }),
    "a field of stop: `background` is -1, and should be a whole number that is not negative",
  ],
  [
    said({ kind: "context", percent: 101 }),
    "a field of context: `percent` is 101, and should be a number from 0 to 100",
  ],
  [
    said({ kind: "statusline", clock: "now" }),
    'a field of statusline: `clock` is "now", and should be a time such as 09:05:00',
  ],
  [
    said({ kind: "question", text: " " }),
    'a field of question: `text` is " ", and should be a string that is not empty',
  ],
  [
    said({ kind: "limit", until: "soon" }),
    'a field of limit: `until` is "soon", and should be a time in seconds',
  ],
  [
    said({ kind: "hook", work_phase: "lunch" }),
    'a field of hook: `work_phase` is "lunch", and should be one of investigation, planning, implementation, testing, completion',
  ],
  [
    said({ kind: "hook", tests_status: "fine" }),
    'a field of hook: `tests_status` is "fine", and should be one of passed, failed, unknown',
  ],
  [
    said({ kind: "mail", subject: "a", body: 7 }),
    "a field of mail: `body` is 7, and should be a string",
  ],
  [
    said({ kind: "mail", subject: "a", to: ["x"] }),
    'a field of mail: `to` is ["x"], and should be a string',
  ],
  ["x".repeat(65_537), "larger than 64 KB"],
])("%s is refused with a reason", (text, why) => {
  expect(parseSpool(text)).toEqual({ kind: "refused", why });
});

test("texts and lists are cut to what is worth keeping", () => {
  const long = read({ kind: "question", text: "x".repeat(9000), choices: Array(99).fill("y") });
  expect(long).toEqual({
    kind: "question",
    id: "x".repeat(2000),
    text: "x".repeat(2000),
    choices: Array(50).fill("y"),
  });
});
