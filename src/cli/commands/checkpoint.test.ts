import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { CheckpointContentView, CheckpointView } from "../../api/checkpoints.ts";

const entry = (number: number, reason: string): CheckpointView => ({
  identity: "dev-7",
  number,
  commit: String(number).repeat(40).slice(0, 40),
  at: ago(10 - number),
  reason,
  files: number,
  skipped_count: number - 1,
});

const CONTENT: CheckpointContentView = {
  ...entry(2, "phase"),
  head: "a".repeat(40),
  branch: "pawl/7-fix",
  changes: [
    { status: "M", path: "src/parser.ts" },
    { status: "A", path: "notes.md" },
  ],
  skipped: ["pipe"],
  partial: ["big.bin"],
  nested: [],
};

test("checkpoints are listed, newest first", async () => {
  const answers = {
    "GET /v1/checkpoints/7?limit=50": [entry(2, "phase"), entry(1, "files changed")],
  };
  expect((await pawlOnTty(["checkpoint", "list", "7"], { answers })).stdout).toMatchInlineSnapshot(`
    "NUMBER  SAVED      FILES  REASON         COMMIT        NOT SAVED
         2  8 min ago      2  phase          222222222222  1
         1  9 min ago      1  files changed  111111111111
    "
  `);
  expect((await pawl(["checkpoint", "list", "7"], { answers })).stdout).toMatchInlineSnapshot(`
    "2	2026-03-01T11:52:00.000Z	2	phase	2222222222222222222222222222222222222222	1
    1	2026-03-01T11:51:00.000Z	1	files changed	1111111111111111111111111111111111111111	0
    "
  `);
  const none = { "GET /v1/checkpoints/7?limit=3": [] };
  const empty = await pawl(["checkpoint", "list", "7", "--limit", "3"], { answers: none });
  expect(empty).toMatchObject({ code: 0, stdout: "", stderr: "7 has no checkpoints\n" });
});

test("a checkpoint is shown with what could not be saved", async () => {
  const answers = { "GET /v1/checkpoints/7/last": CONTENT };
  const { stdout } = await pawlOnTty(["checkpoint", "show", "7"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "checkpoint 2 of dev-7
    saved      8 min ago
    reason     phase
    commit     2222222222222222222222222222222222222222
    branch     pawl/7-fix
    head       aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    not saved  pipe
    partial    big.bin

    M src/parser.ts
    A notes.md
    "
  `);
  const json = await pawl(["checkpoint", "show", "7", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual(CONTENT);
});

test("what a checkpoint changed is shown since the one before, or since another", async () => {
  const both = { stat: " a | 1 +", diff: "diff --git a/a b/a\n+x" };
  const answers = {
    "GET /v1/checkpoints/7/2/diff": both,
    "GET /v1/checkpoints/7/2/diff?from=1": both,
    "GET /v1/checkpoints/7/last/diff": { stat: "", diff: "" },
  };
  expect((await pawl(["checkpoint", "diff", "7", "2"], { answers })).stdout).toBe(
    "diff --git a/a b/a\n+x\n",
  );
  const since = ["checkpoint", "diff", "7", "2", "--from", "1", "--stat"];
  expect((await pawl(since, { answers })).stdout).toBe(" a | 1 +\n");
  expect(await pawl(["checkpoint", "diff", "7"], { answers })).toMatchObject({
    code: 0,
    stderr: "nothing changed\n",
  });
});

test("a restored checkpoint's place is the result", async () => {
  const path = "/h/projects/toy/restored/dev-7-2";
  const restored = {
    identity: "dev-7",
    number: 2,
    path,
    skipped: ["pipe", "big.bin"],
    partial: ["big.bin"],
  };
  const answers = { "POST /v1/checkpoints/7/2/restore": restored };
  const world = { answers, cwd: "/home/ada" };
  const done = await pawl(["checkpoint", "restore", "7", "2"], world);
  expect(done).toMatchObject({
    code: 0,
    stdout: `${path}\n`,
    stderr: [
      "not in this checkpoint, because it could not be saved: pipe\n",
      "big.bin was being written: the checkpoint holds only an earlier copy, restored as big.bin.partial\n",
      "restored checkpoint 2 of dev-7 into\n",
    ].join(""),
    calls: [["POST /v1/checkpoints/7/2/restore", { by: "ada", into_workspace: false }]],
  });
  const there = await pawl(["checkpoint", "restore", "7", "2", "--to", "was"], world);
  expect(there.calls[0]?.[1]).toEqual({ by: "ada", to: "/home/ada/was", into_workspace: false });
  const inside = await pawl(["checkpoint", "restore", "7", "2", "--into-workspace"], world);
  expect(inside.calls[0]?.[1]).toEqual({ by: "ada", into_workspace: true });
});

test("an invalid number, and two places at once, are wrong usage", async () => {
  for (const argv of [
    ["checkpoint", "show", "7", "x"],
    ["checkpoint", "show", "7", "0"],
    ["checkpoint", "restore", "7", "--to", "a", "--into-workspace"],
  ]) {
    expect(await pawl(argv), argv.join(" ")).toMatchObject({ code: 2, calls: [] });
  }
});
