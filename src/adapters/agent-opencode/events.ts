// What the events of opencode mean to a host. Turns are the driver's own affair.
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import type { OpencodeEvent } from "./client.ts";

type Tokens = {
  input: number;
  output: number;
  reasoning: number;
  cache: { read: number; write: number };
};

export type Message = {
  id: string;
  role: "user" | "assistant";
  /** Of an answer: the prompt. */
  parentID?: string;
  providerID?: string;
  modelID?: string;
  cost?: number;
  tokens?: Tokens;
};

export type Part = {
  id: string;
  messageID: string;
  type: string;
  text?: string;
  tool?: string;
  state?: { status: string; title?: string; input?: Record<string, unknown> };
};

export function readEvent({ type, properties }: OpencodeEvent): DriverEvent[] {
  switch (type) {
    case "message.part.delta":
      return properties["field"] === "text"
        ? [{ kind: "text", text: String(properties["delta"]) }]
        : [{ kind: "thought" }];
    case "message.part.updated":
      return toolEvent(properties["part"] as Part);
    case "todo.updated": {
      const todos = properties["todos"] as { content: string; status: string }[];
      return [{ kind: "plan", entries: todos.map((one) => `${one.content} (${one.status})`) }];
    }
    case "session.compacted":
      return [{ kind: "compact" }];
    default:
      return [];
  }
}

const STATUSES: Record<string, "begun" | "ended" | "failed"> = {
  running: "begun",
  completed: "ended",
  error: "failed",
};

function toolEvent({ id, type, tool, state }: Part): DriverEvent[] {
  const status = STATUSES[state?.status ?? ""];
  if (type !== "tool" || tool === undefined || status === undefined) return [];
  const { command, filePath } = state?.input ?? {};
  const file = typeof filePath === "string" ? filePath : undefined;
  const title = typeof command === "string" ? command : (state?.title ?? file ?? tool);
  return [{ kind: "tool", id, name: tool, title, status, file }];
}

export const tokensOf = ({ input, output, reasoning, cache }: Tokens): number =>
  input + output + reasoning + cache.read + cache.write;
