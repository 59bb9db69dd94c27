// What an agent says during a turn (session/update), in the words of a driver.
import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { isObject } from "../../../lib/json-object.ts";
import type { DriverEvent } from "../agent-host/driver.ts";

type Tool = { title: string; name: string; file: string | undefined; isOver: boolean };

/** Tools that change files; the files that others look at are not theirs. */
const WRITERS = new Set(["edit", "delete", "move"]);

export class Updates {
  readonly #tools = new Map<string, Tool>();
  /** Of the conversation, as its agent counts it. */
  usd: number | undefined;

  read(update: SessionUpdate): DriverEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return update.content.type === "text" ? [{ kind: "text", text: update.content.text }] : [];
      case "agent_thought_chunk":
        return [{ kind: "thought" }];
      case "tool_call":
      case "tool_call_update":
        return this.#tool(update);
      case "plan":
        return [{ kind: "plan", entries: update.entries.map(({ content }) => content) }];
      case "usage_update":
        if (update.cost?.currency === "USD") this.usd = update.cost.amount;
        return update.size > 0
          ? [{ kind: "context", percent: Math.round((100 * update.used) / update.size) }]
          : [];
      case "compaction_update":
        return update.status === "completed" ? [{ kind: "compact" }] : [];
      case "notice":
        return update.severity === "info" ? [] : [{ kind: "warning", text: noticeText(update) }];
      default:
        return [];
    }
  }

  /** Every tool of a turn that is over is over too, whatever was said of it. */
  turnEnded(): void {
    this.#tools.clear();
  }

  #tool(update: ToolCallUpdate): DriverEvent[] {
    const id = update.toolCallId;
    const known = this.#tools.get(id);
    if (known?.isOver === true) return [];
    const tool: Tool = {
      title: titleOf(update) ?? known?.title ?? id,
      name: toolName(update) ?? known?.name ?? "tool",
      file: fileOf(update) ?? known?.file,
      isOver: update.status === "completed" || update.status === "failed",
    };
    this.#tools.set(id, tool);
    const { isOver, ...said } = tool;
    const event = (status: "begun" | "ended" | "failed"): DriverEvent => ({
      kind: "tool",
      id,
      status,
      ...said,
    });
    const begun = known === undefined ? [event("begun")] : [];
    return isOver ? [...begun, event(update.status === "failed" ? "failed" : "ended")] : begun;
  }
}

const noticeText = ({ title, description }: { title: string; description?: string | null }) =>
  [title, description ?? ""].filter((text) => text !== "").join(": ");

/** Some say what a command is for; what it is matters more. */
function titleOf({ title, rawInput }: ToolCallUpdate): string | undefined {
  const command = isObject(rawInput) ? rawInput["command"] : undefined;
  return typeof command === "string" ? command : (title ?? undefined);
}

/** Agents give the name of a tool below a key of their own. */
function toolName({ _meta: meta, kind }: ToolCallUpdate): string | undefined {
  const names = Object.values(meta ?? {}).map((one) =>
    isObject(one) ? one["toolName"] : undefined,
  );
  const own = names.find((name) => typeof name === "string");
  return own ?? kind ?? undefined;
}

const fileOf = ({ kind, locations }: ToolCallUpdate): string | undefined =>
  kind !== null && kind !== undefined && WRITERS.has(kind) ? locations?.[0]?.path : undefined;
