import { expect, test } from "vitest";
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import { UsageMeter } from "./usage-meter.ts";

const message = (id: string, input: number) => ({
  id,
  role: "assistant" as const,
  providerID: "anthropic",
  modelID: "m",
  cost: 0.5,
  tokens: { input, output: 10, reasoning: 0, cache: { read: 40, write: 0 } },
});

test("a message that grows counts once, and agents below add to the usage but not to the context", () => {
  const events: DriverEvent[] = [];
  const meter = new UsageMeter((event) => events.push(event));
  meter.knows({ providers: [{ id: "anthropic", models: { m: { limit: { context: 1000 } } } }] });
  meter.hear(message("msg_1", 50), true);
  meter.hear(message("msg_1", 150), true);
  meter.hear(message("msg_2", 0), false);
  expect(events).toEqual([
    { kind: "usage", tokens: 100, usd: 0.5 },
    { kind: "context", percent: 10 },
    { kind: "usage", tokens: 200, usd: 0.5 },
    { kind: "context", percent: 20 },
    { kind: "usage", tokens: 250, usd: 1 },
  ]);
});
