// What the notifications of Codex mean to a host. Turns are the driver's own affair.
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import type { Item, Notifications } from "./protocol.ts";

type Name = keyof Notifications;
type Readers = { [N in Name]?: (params: Notifications[N]) => DriverEvent[] };

export function readNotification(method: string, params: unknown): DriverEvent[] {
  const read = READERS[method as Name];
  return read === undefined ? [] : read(params as never);
}

const READERS: Readers = {
  "item/started": ({ item }) => toolEvent(item, true),
  "item/completed": ({ item }) =>
    item.type === "contextCompaction" ? [{ kind: "compact" }] : toolEvent(item, false),
  "item/agentMessage/delta": ({ delta }) => [{ kind: "text", text: delta }],
  "item/reasoning/textDelta": () => [{ kind: "thought" }],
  "item/reasoning/summaryTextDelta": () => [{ kind: "thought" }],
  "turn/plan/updated": ({ plan }) => [
    { kind: "plan", entries: plan.map(({ step, status }) => `${step} (${status})`) },
  ],
  "thread/tokenUsage/updated": ({ tokenUsage: { last, modelContextWindow } }) =>
    modelContextWindow === null || modelContextWindow <= 0
      ? []
      : [{ kind: "context", percent: (last.totalTokens / modelContextWindow) * 100 }],
};

function toolEvent(item: Item, begins: boolean): DriverEvent[] {
  const tool = toolOf(item);
  if (tool === undefined) return [];
  const hasFailed = tool.status === "failed" || tool.status === "declined";
  const status = begins ? "begun" : hasFailed ? "failed" : "ended";
  return [{ kind: "tool", id: item.id, ...tool, status }];
}

function toolOf(item: Item) {
  switch (item.type) {
    case "commandExecution":
      return { name: "command", title: item.command, file: undefined, status: item.status };
    case "fileChange": {
      const files = item.changes.map(({ path }) => path);
      const title = `changes ${files.join(", ")}`;
      return { name: "edit", title, file: files[0], status: item.status };
    }
    case "mcpToolCall": {
      const name = `${item.server}.${item.tool}`;
      return { name, title: name, file: undefined, status: item.status };
    }
    default:
      return undefined;
  }
}
