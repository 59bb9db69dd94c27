import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const NIGHTLY = {
  name: "nightly",
  project: "toy",
  when: "0 6 * * * UTC",
  work: "role gardener",
  enabled: true,
  next: ago(-60),
  running_since: null,
  last_at: ago(600),
  last_result: "finished",
  note: "",
  count: 3,
};

test("the list shows when each comes next and what became of the last one", async () => {
  const off = { ...NIGHTLY, name: "weekly", enabled: false, next: null, running_since: ago(1) };
  const answers = { "GET /v1/schedules": [NIGHTLY, off] };
  const { stdout } = await pawlOnTty(["schedule", "list"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "SCHEDULE  WHEN           STARTS         NEXT    LAST       PROJECT
    nightly   0 6 * * * UTC  role gardener  in 1 h  finished   toy
    weekly    0 6 * * * UTC  role gardener  off     under way  toy
    "
  `);
  const json = await pawl(["schedule", "list", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual([NIGHTLY, off]);
  const none = await pawl(["schedule", "list", "--all"], {
    answers: { "GET /v1/schedules?all=true": [] },
  });
  expect(none).toMatchObject({ code: 0, stdout: "" });
});

test("one can be started now", async () => {
  const answers = { "POST /v1/schedules/nightly/run": { ...NIGHTLY, running_since: ago(0) } };
  const { stderr, calls } = await pawl(["schedule", "run", "nightly"], { answers });
  expect(stderr).toContain("nightly: under way");
  expect(calls[0]).toEqual(["POST /v1/schedules/nightly/run", { by: "ada" }]);
});
