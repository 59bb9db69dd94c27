import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { RecoveredView } from "../../api/checkpoints.ts";

const ROWS: RecoveredView[] = [
  { identity: "dev-7", branch: "pawl/7-fix", commit: "a".repeat(40), at: ago(90), kind: "fetched" },
  { identity: "dev-8", branch: "pawl/8-add", commit: "b".repeat(40), at: ago(5), kind: "kept" },
];

test("what was brought back is listed, and what happens next is said", async () => {
  const answers = { "POST /v1/recover": ROWS };
  const shown = await pawlOnTty(["recover", "--from", "backup"], { answers });
  expect(shown.stdout).toMatchInlineSnapshot(`
    "IDENTITY  BRANCH      SAVED      WHAT
    dev-7     pawl/7-fix  1 h ago    brought back
    dev-8     pawl/8-add  5 min ago  kept: this machine has its own checkpoints
    "
  `);
  expect(shown.stderr).toBe("the next run of each of these issues continues from there\n");
  expect(shown.calls).toEqual([["POST /v1/recover", { from: "backup" }]]);
  const json = await pawl(["recover", "--from", "backup", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual(ROWS);
});

test("a remote without unfinished work is no failure, and no remote is wrong usage", async () => {
  const none = await pawl(["recover", "--from", "x"], { answers: { "POST /v1/recover": [] } });
  expect(none).toMatchObject({
    code: 0,
    stderr: "that remote has no checkpoints of unfinished work\n",
  });
  expect(await pawl(["recover"])).toMatchObject({ code: 2, calls: [] });
});
