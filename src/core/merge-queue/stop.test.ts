import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { createWorld } from "../../../test/support/queue-world.ts";
import { stopQueue } from "./stop.ts";

test("a queue that stops tells the operator why and what to do", () => {
  const output = emptyOutput();
  const stop = { kind: "rejected", why: "protected branch", hint: "allow it" } as const;
  const queue = stopQueue(createWorld({}).queue, stop, { at: 9, output });
  expect(queue.stop).toEqual({ ...stop, at: 9 });
  expect(output.effects).toMatchObject([
    { effect: { kind: "notify", severity: "urgent", body: "protected branch\nhint: allow it" } },
  ]);
});
