import { describe, expect, test } from "vitest";
import type { ProviderName } from "../../ports/session-gateway.ts";
import { AnswerReader } from "./used-in-answer.ts";

const SSE = "text/event-stream; charset=utf-8";

const sse = (...events: unknown[]): string =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");

const MESSAGES = sse(
  {
    type: "message_start",
    message: {
      model: "m-1",
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 400,
        output_tokens: 1,
      },
    },
  },
  { type: "content_block_delta", delta: { text: 'a "usage" in words, and ünïcödé 🦆' } },
  { type: "message_delta", usage: { output_tokens: 77 } },
  { type: "message_stop" },
);

const RESPONSES = sse(
  { type: "response.created", response: { model: "m-2", usage: null } },
  {
    type: "response.completed",
    response: {
      model: "m-2",
      usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 9 },
    },
  },
);

const CHAT = `${sse(
  { model: "m-3", choices: [{ delta: { content: "x" } }], usage: null },
  {
    model: "m-3",
    choices: [],
    usage: {
      prompt_tokens: 50,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens: 5,
    },
  },
)}data: [DONE]\n\n`;

const GENERATE = sse(
  { modelVersion: "m-4", usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 1 } },
  {
    modelVersion: "m-4",
    usageMetadata: {
      promptTokenCount: 20,
      cachedContentTokenCount: 8,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 3,
    },
  },
);

const ALL: { name: string; provider: ProviderName; text: string; expected: unknown }[] = [
  {
    name: "Messages",
    provider: "anthropic",
    text: MESSAGES,
    expected: counted("m-1", [12, 77, 400, 30]),
  },
  {
    name: "Responses",
    provider: "openai",
    text: RESPONSES,
    expected: counted("m-2", [40, 9, 60, 0]),
  },
  { name: "Chat", provider: "openai", text: CHAT, expected: counted("m-3", [40, 5, 10, 0]) },
  {
    name: "generateContent",
    provider: "gemini",
    text: GENERATE,
    expected: counted("m-4", [12, 9, 8, 0]),
  },
];

function counted(model: string, [input, output, cacheRead, cacheWrite]: number[]): unknown {
  return { model, input, output, cacheRead, cacheWrite };
}

function readIn(provider: ProviderName, text: string, size: number): unknown {
  const reader = new AnswerReader(provider, SSE);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return reader.counted;
}

describe.each(ALL)("a stream of $name", ({ provider, text, expected }) => {
  test.each([1, 2, 3, 7, 64, 1_000_000])("is read in chunks of %d bytes", (size) => {
    expect(readIn(provider, text, size)).toEqual(expected);
  });

  test.each(["\r\n", "\r"])("is read with lines that end with %j", (end) => {
    const other = text.replaceAll("\n", end);
    expect([1, 5, 1_000_000].map((size) => readIn(provider, other, size))).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  test("without the blank line at its end is read", () => {
    expect(readIn(provider, text.trimEnd(), 10)).toEqual(expected);
  });
});

test("what was read counts before the answer is over", () => {
  const reader = new AnswerReader("anthropic", SSE);
  reader.push(Buffer.from(MESSAGES.slice(0, MESSAGES.indexOf("content_block_delta"))));
  expect(reader.counted).toEqual(counted("m-1", [12, 1, 400, 30]));
});

test("a document that is no stream is read at its end", () => {
  const reader = new AnswerReader("anthropic", "application/json");
  const text = JSON.stringify({ model: "m", usage: { input_tokens: 3, output_tokens: 4 } });
  reader.push(Buffer.from(text.slice(0, 20)));
  reader.push(Buffer.from(text.slice(20)));
  expect(reader.counted).toBeUndefined();
  reader.end();
  expect(reader.counted).toEqual(counted("m", [3, 4, 0, 0]));
});

test("a list of documents is read, the last of which counts", () => {
  const reader = new AnswerReader("gemini", "application/json");
  const chunk = (count: number) => ({
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: count },
  });
  reader.push(Buffer.from(JSON.stringify([chunk(1), chunk(2)])));
  reader.end();
  expect(reader.counted).toMatchObject({ input: 5, output: 2 });
});

test.each([
  "",
  'data: {broken "usage"\n\n',
  'data: [1, "usage"]\n\n',
  'data: {"usage": "much"}\n\n',
])("an answer that makes no sense says nothing: %j", (text) => {
  expect(readIn("anthropic", text, 3)).toBeUndefined();
});

test("numbers that are none are not taken", () => {
  const text = sse({
    message: { usage: { input_tokens: -5, output_tokens: "9" } },
    usage: undefined,
  });
  expect(readIn("anthropic", text, 4)).toMatchObject({ input: 0, output: 0 });
});

test("what a model has written of a stream that is cut off is known without what is around it", () => {
  const reader = new AnswerReader("anthropic", SSE);
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } };
  reader.push(Buffer.from(sse({ ...delta }, { ...delta, delta: { partial_json: "12345" } })));
  expect([reader.written, reader.counted]).toEqual([6, undefined]);
});
