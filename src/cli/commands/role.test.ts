import { expect, test } from "vitest";
import type { RoleRoundView } from "../../api/roles.ts";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const ROUND: RoleRoundView = {
  at: ago(5),
  project: "toy",
  role: "gardener",
  formula: "schedule-garden",
  cycle: 7,
  found: ["P3 #1 and #2 have titles that mean the same"],
  answer: "{}",
  planned: ["close #2 (to undo: pawl issue reopen 2)"],
  done: ["changed #2 (closed) (to undo: pawl issue reopen 2)"],
  left: ["close of #9 is left out: it is not open"],
};

test("each round is a line: what was found, done and left out", async () => {
  const answers = { "GET /v1/roles/log": [ROUND, { ...ROUND, done: [], left: [] }] };
  expect((await pawlOnTty(["role", "log"], { answers })).stdout).toMatchInlineSnapshot(`
    "WHEN       ROLE      FORMULA            FOUND  DID                                           PROJECT
    5 min ago  gardener  schedule-garden#7  1      changed #2 (closed) (to undo: pawl issue …    toy
    5 min ago  gardener  schedule-garden#7  1      nothing needed to change                      toy
    "
  `);
  expect((await pawl(["role", "log"], { answers })).stdout).toMatchInlineSnapshot(`
    "2026-03-01T11:55:00.000Z	gardener	schedule-garden#7	1	changed #2 (closed) (to undo: pawl issue reopen 2); close of #9 is left out: it is not open	toy
    2026-03-01T11:55:00.000Z	gardener	schedule-garden#7	1	nothing needed to change	toy
    "
  `);
});

test("one role is asked for by name, of all projects where wanted, and JSON has everything", async () => {
  const answers = { "GET /v1/roles/log?role=gardener&all=true": [ROUND] };
  const { stdout } = await pawl(["role", "log", "gardener", "--all", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual([ROUND]);
});

test("before anything was judged the list is empty, which is no failure", async () => {
  const empty = await pawl(["role", "log"], { answers: { "GET /v1/roles/log": [] } });
  expect([empty.code, empty.stdout, empty.stderr]).toEqual([
    0,
    "",
    "no role has judged anything yet\n",
  ]);
});
