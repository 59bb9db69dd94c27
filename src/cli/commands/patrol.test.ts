import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const DEACON = {
  patrol: "deacon",
  project: "toy",
  enabled: true,
  last_activity: ago(1),
  rounds: 4,
  every_s: 120,
  steps: [
    { id: "inbox-check", at: ago(9), note: "mail 3 from dev-4: HELP" },
    { id: "gate-evaluation", at: null, note: "" },
  ],
  health: [
    {
      component: "observer",
      unresponsive_cycles: 2,
      last_seen_healthy: ago(30),
      detail: "no answer",
    },
  ],
  orphans: [{ key: "issue:1", what: "#1 is in progress", since: ago(3), settled: null }],
};

test("the status shows the last round, every step, and what is not well", async () => {
  const answers = { "GET /v1/patrols": [DEACON] };
  const { stdout } = await pawlOnTty(["patrol", "status"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "PROJECT  PATROL  STEP                AT          WHAT
    toy      deacon  last round          1 min ago   4 since the daemon started
    toy      deacon  inbox-check         9 min ago   mail 3 from dev-4: HELP
    toy      deacon  gate-evaluation     –
    toy      deacon  health of observer  30 min ago  unresponsive for 2 rounds: no answer
    toy      deacon  orphan              3 min ago   #1 is in progress
    "
  `);
  const json = await pawl(["patrol", "status", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual([DEACON]);
});

test("run and restart ask for one patrol by name", async () => {
  const answers = {
    "POST /v1/patrols/deacon/run": DEACON,
    "POST /v1/patrols/witness/restart": { ...DEACON, patrol: "witness", enabled: false },
  };
  expect((await pawl(["patrol", "run"], { answers })).stdout).toContain("inbox-check");
  const restarted = await pawl(["patrol", "restart", "witness"], { answers });
  expect(restarted.stdout).toContain("switched off");
  expect(restarted.calls).toEqual([["POST /v1/patrols/witness/restart", { by: "ada" }]]);
  expect(await pawl(["patrol", "run", "mayor"], { answers })).toMatchObject({ code: 2, calls: [] });
});

test("sessions that have not begun are listed, and nudged by name", async () => {
  const one = { project: "toy", identity: "dev-4", run: "4.1", epoch: 1, since_s: 40, ready: true };
  const answers = {
    "GET /v1/patrols/pending?all=true": [{ ...one, screen: "> " }],
    "POST /v1/runs/dev-4/nudge": { identity: "dev-4", doing: "working" },
  };
  const { stdout } = await pawl(["patrol", "pending", "--all"], { answers });
  expect(stdout).toBe("dev-4\t1\t40\tready\ttoy\n");
  const nudged = await pawl(["nudge", "dev-4"], { answers });
  expect(nudged.calls[0]).toEqual(["POST /v1/runs/dev-4/nudge", { by: "ada", text: "Begin." }]);
});
