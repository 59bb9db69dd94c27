// The Responses API of OpenAI, as Codex uses it: always a stream.
import type { ServerResponse } from "node:http";
import { newId, think, type Dialect } from "./dialect.ts";
import type { Block, ModelMessage } from "./conversation.ts";
import type { Failure, Reply } from "./script.ts";

type Part = { text?: string };
type Item = { type: string; role?: string; content?: string | Part[]; output?: unknown };
type Body = { model: string; input?: Item[]; tools?: { name?: string; type: string }[] };

export const RESPONSES: Dialect = {
  isAsked: (path) => path.endsWith("/responses"),
  read: (text) => {
    const { model, input = [], tools = [] } = JSON.parse(text) as Body;
    return {
      model,
      stream: true,
      messages: input.flatMap(messageOf),
      tools: tools.map(({ name, type }) => ({ name: name ?? type })),
    };
  },
  send,
  fail,
};

function messageOf(item: Item): ModelMessage[] {
  if (item.type === "message") return saidIn(item);
  if (item.type.endsWith("_call_output")) {
    return [{ role: "user", content: [{ type: "tool_result", content: outputOf(item) }] }];
  }
  if (item.type.endsWith("_call")) return [{ role: "assistant", content: [{ type: "tool_use" }] }];
  return [];
}

/** The program speaks as the user too: what stands in tags is its own. */
const OWN_WORDS =
  /^\s*<(environment_context|user_instructions|turn_aborted|permissions)\b|^# AGENTS/;

function saidIn({ role, content }: Item): ModelMessage[] {
  if (role !== "user" && role !== "assistant") return [];
  const parts = typeof content === "string" ? [{ text: content }] : (content ?? []);
  const blocks = parts.flatMap(({ text }): Block[] =>
    text === undefined || OWN_WORDS.test(text) ? [] : [{ type: "text", text }],
  );
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

const outputOf = ({ output }: Item): string =>
  typeof output === "string" ? output : JSON.stringify(output ?? "");

function itemsOf(reply: Reply) {
  const calls = reply.tools.map(({ name, input }) => ({
    type: "function_call" as const,
    id: newId("fc"),
    call_id: newId("call"),
    name,
    arguments: JSON.stringify(input),
    status: "completed",
  }));
  const message = {
    type: "message" as const,
    id: newId("msg"),
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: reply.text, annotations: [] }],
  };
  return [message, ...calls];
}

async function send(
  response: ServerResponse,
  reply: Reply,
  { model }: { model: string },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sequence = 0;
  const emit = (type: string, fields: Record<string, unknown>): void => {
    const data = { type, sequence_number: sequence, ...fields };
    sequence += 1;
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const begun = { id: newId("resp"), object: "response", model };
  emit("response.created", { response: { ...begun, status: "in_progress", output: [] } });
  await think(response, reply);
  if (reply.broken === "drop") {
    response.destroy();
    return;
  }
  if (reply.broken === "error") {
    const error = { code: "server_is_overloaded", message: "Overloaded" };
    emit("response.failed", { response: { ...begun, status: "failed", error } });
    response.end();
    return;
  }
  const items = itemsOf(reply);
  for (const [at, item] of items.entries()) {
    const begins = item.type === "message" ? { content: [] } : { arguments: "" };
    const added = { ...item, ...begins, status: "in_progress" };
    emit("response.output_item.added", { output_index: at, item: added });
    if (item.type === "message") {
      const place = { item_id: item.id, output_index: at, content_index: 0 };
      emit("response.output_text.delta", { ...place, delta: reply.text });
    }
    emit("response.output_item.done", { output_index: at, item });
  }
  const ended = { ...begun, status: "completed", output: items, usage: usageOf(reply) };
  emit("response.completed", { response: ended });
  response.end();
}

const usageOf = ({ usage: { input, output } }: Reply) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

function fail(response: ServerResponse, { status, type, message, headers }: Failure): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type, code: type } }));
}
