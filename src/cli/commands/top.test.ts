import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { ago, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { RunView, StatusView } from "../../api/runs.ts";

const asking = (issue: number) =>
  ({
    project: "toy",
    issue,
    title: "Name things",
    doing: "waiting for a person",
    needs_you: "which name?",
    alive: true,
    requested_at: ago(1),
    outcome: null,
  }) as RunView;

const STATUS = {
  version: "1.2.3",
  home: "/h",
  daemon: { pid: 321, since: ago(125), version: "1.2.3" },
  projects: [
    {
      name: "toy",
      root: "/home/ada/toy",
      target: "main",
      parallel: 3,
      paused: null,
      config_problem: null,
      backlog: { ready: 2, waiting: 1, blocked: 0 },
      today: { usd: 1.5, estimated_usd: 1.5, tokens: 1000, landed: 8 },
    },
  ],
  runs: [asking(1), asking(2)],
  queue: [],
  waits: [],
  landed: Array.from({ length: 8 }, (_, index) => ({
    project: "toy",
    branch: `pawl/${index + 10}-x`,
    at: ago(index + 1),
  })),
  next: { project: "toy", what: "the agent of #1 reaches its time limit", at: ago(-60) },
  idle: false,
} satisfies StatusView;

async function screen(rows: number, status: StatusView = STATUS): Promise<string[]> {
  const world = { answers: { "GET /v1/status": status }, columns: 80, rows };
  const { stdout } = await pawlOnTty(["top"], world);
  return stripVTControlCharacters(stdout).split("\r\n");
}

test("what the last line has no room for stands in the line above it", async () => {
  const lines = await screen(30);
  expect(lines).toHaveLength(30);
  expect(lines.at(-1)).toMatch(
    /^0 of 3 at work, 2 wait for you · 0 in the queue · 8 landed today +q: leave$/,
  );
  expect(lines.at(-2)).toBe("$1.50 (estimate) today · up 2 h 5 min");
});

test("of what landed, as much is shown as fits, and it is said how much is left out", async () => {
  const all = await screen(30);
  expect(all.filter((line) => line.includes("pawl/"))).toHaveLength(8);
  expect(all.join("\n")).not.toContain("more landed");
  const some = await screen(17);
  expect(some.filter((line) => line.includes("pawl/"))).toEqual([
    expect.stringContaining("pawl/10-x"),
    expect.stringContaining("pawl/11-x"),
  ]);
  expect(some).toContain("… 6 more landed: `pawl status` shows all");
  const none = await screen(14);
  expect(none).toContain("… 8 landed: `pawl status` shows all");
  expect(none.join("\n")).toContain("#2");
});

test("where everything but the landings just fits, nothing else is left out", async () => {
  const bare = await screen(12, { ...STATUS, landed: [] });
  expect(bare.at(-3)).toContain("2 ready");
  expect(await screen(12)).toEqual(bare);
});
