import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { QueueView } from "../../api/queue.ts";

const ENTRY = {
  id: 3,
  identity_name: "dev-7",
  branch: "pawl/7-fix",
  status: "held",
  reason: "your checkout has edits in a.ts",
  pr_number: 9,
  bead_id: "7",
  requested_at: ago(4),
};

const QUEUE: QueueView = {
  project: "toy",
  paused: null,
  entries: [ENTRY],
  past: [{ ...ENTRY, id: 2, branch: "pawl/5-x", status: "merged", reason: null, left_at: ago(30) }],
};

test("the queue is listed in its order", async () => {
  const answers = { "GET /v1/queue": QUEUE };
  expect((await pawlOnTty(["merge-queue", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "ID  BRANCH      STATUS  REASON                           IDENTITY  ISSUE  PR  REQUESTED
    3   pawl/7-fix  held    your checkout has edits in a.ts  dev-7     #7     #9  4 min ago
    "
  `);
  expect((await pawl(["merge-queue", "list", "--all"], { answers })).stdout).toMatchInlineSnapshot(`
    "2	pawl/5-x	merged		dev-7	7	9	2026-03-01T11:56:00.000Z
    3	pawl/7-fix	held	your checkout has edits in a.ts	dev-7	7	9	2026-03-01T11:56:00.000Z
    "
  `);
  const { stdout } = await pawl(["merge-queue", "list", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual([ENTRY]);
});

test("an empty queue is no failure", async () => {
  const answers = { "GET /v1/queue": { ...QUEUE, entries: [] } };
  expect(await pawl(["merge-queue", "list"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "the merge queue is empty\n",
  });
});

test("its status says what waits, what landed last, and who stopped it", async () => {
  const answers = { "GET /v1/queue": { ...QUEUE, paused: { by: "bob", why: "release day" } } };
  expect(await pawlOnTty(["merge-queue", "status"], { answers })).toMatchObject({
    stdout:
      "paused by bob: release day\nmerge queue of toy: 1 held\n1 branch landed, the last 30 min ago (pawl/5-x)\n",
    stderr: "`pawl merge-queue resume` goes on\n",
  });
});

test("it is paused and resumed by name", async () => {
  const answers = { "POST /v1/queue/pause": QUEUE, "POST /v1/queue/resume": QUEUE };
  const paused = await pawl(["merge-queue", "pause", "--why", "release"], { answers });
  expect(paused.calls).toEqual([["POST /v1/queue/pause", { by: "ada", why: "release" }]]);
  const resumed = await pawl(["merge-queue", "resume"], { answers });
  expect(resumed).toMatchObject({ stdout: "", stderr: "resumed\n" });
});
