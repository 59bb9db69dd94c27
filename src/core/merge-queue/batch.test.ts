import { describe, expect, test } from "vitest";
import { commitId } from "../ids.ts";
import { failed } from "../../../test/support/queue-world.ts";
import { greenEnd, landingEnd, narrowingPoints, prefixPoints, redEnd, tested } from "./batch.ts";
import type { Slot } from "./queue.ts";

/** One letter per slot: g green, r red, t under test, . unknown. */
const stackOf = (text: string): Slot[] =>
  text.split("").map((letter, index) => ({
    entry: index + 1,
    commit: commitId(`c${index + 1}`),
    build: "1",
    test: letter === "t" ? { ref: `${index}`, at: 0 } : undefined,
    verdict:
      letter === "g"
        ? { kind: "green" }
        : letter === "r"
          ? { kind: "red", outcome: failed("t"), confirmed: true }
          : undefined,
  }));

describe("what is known of a stack", () => {
  test.each([
    ["....", 0, undefined],
    ["..g.", 3, undefined],
    ["...r", 0, 4],
    [".g.r", 2, 4],
    // A longer prefix that passed clears a shorter one that failed.
    [".r.g", 4, undefined],
    ["r.g.r.r", 3, 5],
  ])("%s: green up to %i, red at %s", (text, green, red) => {
    expect(greenEnd(stackOf(text), [])).toBe(green);
    expect(redEnd(stackOf(text), [])).toBe(red);
  });

  test("a longer prefix that passed proves no entry that must land alone", () => {
    expect(greenEnd(stackOf("..g."), [1])).toBe(0);
    expect(greenEnd(stackOf("g.g."), [1, 2, 3, 4])).toBe(1);
    expect(greenEnd(stackOf(".gg."), [3])).toBe(3);
    expect(greenEnd(stackOf("..g."), [3])).toBe(0);
    expect(redEnd(stackOf("r.g."), [1])).toBe(1);
  });

  test("positions under test count entries from the target", () => {
    expect(tested(stackOf(".t.t"))).toEqual([2, 4]);
  });
});

describe("a red segment", () => {
  test("is halved with one lane", () => {
    expect(narrowingPoints({ green: 0, red: 8, active: [], free: 1 })).toEqual([4]);
    expect(narrowingPoints({ green: 4, red: 8, active: [], free: 1 })).toEqual([6]);
    expect(narrowingPoints({ green: 0, red: 3, active: [], free: 1 })).toEqual([2]);
  });

  test("is split into k+1 equal parts with k lanes", () => {
    expect(narrowingPoints({ green: 0, red: 9, active: [], free: 2 })).toEqual([3, 6]);
    expect(narrowingPoints({ green: 2, red: 12, active: [], free: 4 })).toEqual([4, 6, 8, 10]);
  });

  test("is not cut where there is nothing left to cut", () => {
    expect(narrowingPoints({ green: 3, red: 4, active: [], free: 4 })).toEqual([]);
    expect(narrowingPoints({ green: 3, red: 5, active: [4], free: 3 })).toEqual([]);
    expect(narrowingPoints({ green: 0, red: 8, active: [], free: 0 })).toEqual([]);
  });

  test("is cut in its largest gap where other cuts are under test already", () => {
    expect(narrowingPoints({ green: 0, red: 12, active: [3], free: 1 })).toEqual([8]);
    expect(narrowingPoints({ green: 0, red: 12, active: [3], free: 2 })).toEqual([8, 6]);
  });
});

describe("nested prefixes", () => {
  const reach = { green: 0, active: [], free: 4, length: 20, step: 4, solo: [] };

  test("end at s, 2s, …, ks", () => {
    expect(prefixPoints(reach)).toEqual([4, 8, 12, 16]);
  });

  test("go on behind what is proven or under test", () => {
    expect(prefixPoints({ ...reach, green: 4, active: [8], free: 1 })).toEqual([12]);
  });

  test("take what is left when it is less than a step", () => {
    expect(prefixPoints({ ...reach, length: 6 })).toEqual([4, 6]);
    expect(prefixPoints({ ...reach, length: 0 })).toEqual([]);
  });

  test("leave an entry that goes by itself by itself", () => {
    expect(prefixPoints({ ...reach, solo: [3, 4] })).toEqual([2, 3, 4, 8]);
    expect(prefixPoints({ ...reach, solo: [1], free: 2 })).toEqual([1, 5]);
  });
});

describe("what lands", () => {
  test("is the longest green prefix", () => {
    expect(landingEnd(stackOf("g.g."), [])).toBe(3);
    expect(landingEnd(stackOf("...."), [])).toBe(0);
  });

  test("is first what stands before an entry that goes by itself", () => {
    expect(landingEnd(stackOf(".gg."), [3])).toBe(2);
    expect(landingEnd(stackOf("ggg."), [1])).toBe(1);
    expect(landingEnd(stackOf("..g."), [2])).toBe(0);
  });
});
