// The Messages API, as Claude Code, opencode and Copilot use it: one JSON object, or a stream of
// events.
import type { ServerResponse } from "node:http";
import type { ModelRequest } from "./conversation.ts";
import { newId as id, sendJson, think, type Dialect } from "./dialect.ts";
import type { Reply } from "./script.ts";

const CHUNK = 40;

export const MESSAGES: Dialect = {
  isAsked: (path) => path === "/v1/messages",
  read: (text) => JSON.parse(text) as ModelRequest,
  send: async (response, reply, { model, stream }) =>
    stream === true ? sendStream(response, reply, model) : sendWhole(response, reply, model),
  fail: sendFailure,
};

type Content =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

function messageOf(reply: Reply, model: string) {
  const content: Content[] = [
    { type: "text", text: reply.text },
    ...reply.tools.map((tool) => ({ type: "tool_use" as const, id: id("toolu"), ...tool })),
  ];
  return {
    id: id("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: reply.tools.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: reply.usage.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: reply.usage.output,
      service_tier: "standard",
    },
  };
}

async function sendWhole(response: ServerResponse, reply: Reply, model: string): Promise<void> {
  await think(response, reply);
  sendJson(response, messageOf(reply, model));
}

function sendFailure(response: ServerResponse, failure: NonNullable<Reply["failure"]>): void {
  const { status, type, message, headers } = failure;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: id("req") }));
}

async function sendStream(response: ServerResponse, reply: Reply, model: string): Promise<void> {
  const message = messageOf(reply, model);
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": id("req") });
  const emit = (type: string, fields: Record<string, unknown>): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  emit("message_start", {
    message: { ...message, content: [], stop_reason: null },
  });
  await think(response, reply, () => emit("ping", {}));
  if (reply.broken === "drop") {
    response.destroy();
    return;
  }
  if (reply.broken === "error") {
    emit("error", { error: { type: "overloaded_error", message: "Overloaded" } });
    response.end();
    return;
  }
  for (const [index, block] of message.content.entries()) emitBlock(emit, index, block);
  emit("message_delta", {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  });
  emit("message_stop", {});
  response.end();
}

function emitBlock(
  emit: (type: string, fields: Record<string, unknown>) => void,
  index: number,
  block: Content,
): void {
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  emit("content_block_start", { index, content_block: empty });
  const delta = (fields: Record<string, unknown>): void =>
    emit("content_block_delta", { index, delta: fields });
  if (block.type === "text") {
    for (let at = 0; at < block.text.length; at += CHUNK) {
      delta({ type: "text_delta", text: block.text.slice(at, at + CHUNK) });
    }
  } else {
    delta({ type: "input_json_delta", partial_json: JSON.stringify(block.input) });
  }
  emit("content_block_stop", { index });
}
