import { expect, test } from "vitest";
import { pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { HistoryRowView, HistoryView } from "../../api/history.ts";

const row = (id: string, change: Partial<HistoryRowView> = {}): HistoryRowView => ({
  id,
  project: "toy",
  kind: "run",
  reference: id,
  title: "Add a button",
  outcome: "landed",
  started_at: "2026-11-15T10:00:00.000Z",
  ended_at: "2026-11-15T10:12:00.000Z",
  tokens: 12_345,
  cost_usd: 0.5,
  last_words: "done",
  ...change,
});

const PAGE: HistoryView = {
  rows: [row("2.1"), row("1.2", { outcome: "blocked", last_words: "two\nlines" })],
  next: "5~run:toy/1.2",
};

test("a page of what is over is a table, and says where the next one begins", async () => {
  const world = { answers: { "GET /v1/history?kind=run": PAGE }, columns: 160 };
  const shown = await pawlOnTty(["history"], world);
  expect(shown.stdout).toMatch(/2\.1 .*Add a button .*landed .*12 min .*12,345 .*\$0\.50$/m);
  expect(shown.stdout).not.toContain("PROJECT");
  expect(shown.stdout).toContain("two lines");
  expect(shown.stderr).toBe("older ones: --after '5~run:toy/1.2'\n");
  const piped = await pawl(["history"], world);
  expect(piped.stdout.split("\n")[0]?.split("\t").slice(0, 5)).toEqual([
    "2026-11-15T10:12:00.000Z",
    "toy",
    "2.1",
    "Add a button",
    "landed",
  ]);
});

test("the next page, its size, its kind and all projects are asked for", async () => {
  const path = "GET /v1/history?kind=gate&limit=5&after=5%7Erun%3Atoy%2F1.2&all=true";
  const world = { answers: { [path]: { rows: [], next: null } } };
  const words = ["--kind", "gate", "--limit", "5", "--after", "5~run:toy/1.2", "--all"];
  expect(await pawl(["history", ...words], world)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "there are no older entries\n",
  });
  const json = await pawl(["history", ...words, "--json"], world);
  expect(JSON.parse(json.stdout)).toEqual({ rows: [], next: null });
});
