import { describe, expect, test } from "vitest";
import { add, createWorld, queued, type World } from "../../../test/support/queue-world.ts";
import { inQueueOrder, select } from "./order.ts";
import type { Entry } from "./queue.ts";

const MINUTE_MS = 60_000;
const names = (entries: Entry[]): string[] => entries.map((entry) => entry.title);

function selection(entries: Entry[], more: Partial<World["queue"]> = {}) {
  const { queue } = createWorld({});
  return select({ ...queue, entries, ...more }, 1_000);
}

describe("the order", () => {
  test("is first come, first served", () => {
    const entries = [
      queued("late", { requestedAt: 20, id: 1 }),
      queued("early", { requestedAt: 10, id: 2 }),
    ];
    expect(names(inQueueOrder(entries))).toEqual(["early", "late"]);
  });

  test("lets a priority go first, but not for ever: waiting outweighs it", () => {
    const old = queued("old", { requestedAt: 0, id: 1 });
    const soon = queued("soon", { requestedAt: 29 * MINUTE_MS, priority: 1, id: 2 });
    const later = queued("later", { requestedAt: 31 * MINUTE_MS, priority: 1, id: 3 });
    expect(names(inQueueOrder([old, soon, later]))).toEqual(["soon", "old", "later"]);
  });
});

describe("entries that wait", () => {
  test("an entry whose conflicts have not been looked for", () => {
    const world = createWorld({});
    add(world, "a");
    expect(select(world.queue, 1).waiting.get(1)).toEqual({ kind: "survey" });
  });

  test("an entry that changes the gates, until an operator approves", () => {
    const change = queued("change", { id: 1, changesPolicy: true });
    expect(selection([change]).waiting.get(1)).toEqual({ kind: "operator" });
    const approved = { ...change, approved: { by: "op", at: 1 } };
    expect(names(selection([approved]).chosen)).toEqual(["change"]);
  });

  test("everyone behind an approved change of the gates", () => {
    const change = queued("change", { id: 1, changesPolicy: true, approved: { by: "op", at: 1 } });
    const next = selection([change, queued("next", { id: 2, requestedAt: 5 })]);
    expect(next.waiting.get(2)).toEqual({ kind: "policy-change", by: 1 });
  });

  test("a held entry, and no other entry because of it", () => {
    const held = queued("held", { id: 1, notBefore: 5_000, obstacle: "edits" });
    const { chosen, waiting } = selection([held, queued("next", { id: 2 })]);
    expect(names(chosen)).toEqual(["next"]);
    expect(waiting.get(1)).toEqual({ kind: "held", until: 5_000, obstacle: "edits" });
  });

  test("an entry that conflicts with an earlier one; not the earlier one, and not one with a held one", () => {
    const [a, b] = [queued("a", { id: 1 }), queued("b", { id: 2, requestedAt: 5 })];
    const conflicts = [{ a: a.head, b: b.head, files: ["f"] }];
    const both = selection([a, b], { conflicts });
    expect(names(both.chosen)).toEqual(["a"]);
    expect(both.waiting.get(2)).toEqual({ kind: "conflict", with: 1, files: ["f"] });
    const held = selection([{ ...a, notBefore: 9_000 }, b], { conflicts });
    expect(names(held.chosen)).toEqual(["b"]);
  });

  test("an entry until the branches it comes after are stacked before it", () => {
    const child = queued("child", { id: 1, after: ["b-parent"] });
    const alone = selection([child]);
    expect(alone.waiting.get(1)).toEqual({ kind: "after", branches: ["b-parent"] });
    const parent = queued("parent", { id: 2, requestedAt: 100 });
    const other = queued("other", { id: 3, requestedAt: 50 });
    const all = selection([child, other, parent]);
    expect(names(all.chosen)).toEqual(["other", "parent", "child"]);
    expect(all.waiting.size).toBe(0);
  });
});
