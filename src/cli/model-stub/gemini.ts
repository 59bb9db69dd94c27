// The Gemini API, as Gemini CLI uses it: one JSON object, or a stream of such objects.
import type { ServerResponse } from "node:http";
import type { Block, ModelMessage } from "./conversation.ts";
import { sendJson, think, type Dialect } from "./dialect.ts";
import type { Failure, Reply } from "./script.ts";

type Part = {
  text?: string;
  functionCall?: { name: string };
  functionResponse?: { response?: unknown };
};
type Body = {
  contents?: { role?: string; parts?: Part[] }[];
  tools?: { functionDeclarations?: { name: string }[] }[];
};

const ASKED = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export const GEMINI: Dialect = {
  isAsked: (path) => ASKED.test(path),
  read: (text, path) => {
    const [, model = "", method] = ASKED.exec(path) ?? [];
    const { contents = [], tools = [] } = JSON.parse(text) as Body;
    return {
      model,
      stream: method === "streamGenerateContent",
      messages: contents.map(messageOf),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    };
  },
  send,
  fail,
};

const messageOf = ({ role, parts = [] }: NonNullable<Body["contents"]>[number]): ModelMessage => ({
  role: role === "model" ? "assistant" : "user",
  content: parts.flatMap(blockOf),
});

/** Where it stands is told by the program, in the user's name, before the first prompt. */
const OWN_WORDS = /^\s*<session_context>/;

function blockOf({ text, functionCall, functionResponse }: Part): Block[] {
  if (functionCall !== undefined) return [{ type: "tool_use" }];
  if (functionResponse !== undefined) {
    const content = JSON.stringify(functionResponse.response ?? "");
    return [{ type: "tool_result", content }];
  }
  return text === undefined || OWN_WORDS.test(text) ? [] : [{ type: "text", text }];
}

function answerOf(reply: Reply, model: string) {
  const calls = reply.tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));
  const { input, output } = reply.usage;
  return {
    candidates: [
      {
        content: { role: "model", parts: [{ text: reply.text }, ...calls] },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
  };
}

async function send(
  response: ServerResponse,
  reply: Reply,
  { model, stream }: { model: string; stream?: boolean },
): Promise<void> {
  const answer = answerOf(reply, model);
  if (stream === true) response.writeHead(200, { "content-type": "text/event-stream" });
  if (stream === true) response.flushHeaders();
  await think(response, reply);
  if (reply.broken !== undefined) response.destroy();
  else if (stream === true) response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
  else sendJson(response, answer);
}

const STATUS: Record<number, string> = {
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function fail(response: ServerResponse, { status, message, headers }: Failure): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  const error = { code: status, message, status: STATUS[status] ?? "INTERNAL" };
  response.end(JSON.stringify({ error }));
}
