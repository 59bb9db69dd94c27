import { expect, test } from "vitest";
import { pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { StatsView } from "../../api/stats.ts";

const SUMS = {
  landed: 2,
  not_landed: 1,
  lead_seconds: 90,
  waiting_seconds: 10,
  working_seconds: 60,
  ci_seconds: 15,
  review_seconds: 0,
  queue_seconds: 5,
  ci_runs: 6,
  ci_runs_per_landing: 3,
  cost_usd: 0.5,
  tokens: 1000,
};
const STATS: StatsView = {
  from: "2026-03-01",
  to: "2026-03-01",
  project: "toy",
  role: null,
  roles: ["dev"],
  days: [{ day: "2026-03-01", ...SUMS }],
  total: SUMS,
  costs: [],
  failures: [],
  load: [],
  budgets: [],
};

test("the table says that runs are counted, and that an issue may have several", async () => {
  const answers = { "GET /v1/stats?": STATS };
  const { stdout, stderr } = await pawlOnTty(["stats"], { answers, columns: 80 });
  expect(stdout).toMatch(/^DAY +RUNS LANDED +NOT LANDED +ISSUE TO LANDING /);
  expect(stderr).toContain("NOT LANDED count runs of agents, not issues");
  expect(stderr).toContain("Branches that people queued are not counted.");
});
