import { expect, test } from "vitest";
import { pawl } from "../../../test/support/pawl-cli.ts";
import type { StartPlanView } from "../../api/start-plan.ts";

const plan = (starts: number, runs: number): StartPlanView => ({
  project: "toy",
  terms: [],
  first: null,
  issues: Array.from({ length: starts }, (_, index) => ({
    issue: index + 1,
    title: "Do it",
    starts: true,
    why: "it is ready",
  })),
  estimate: runs === 0 ? null : { runs, usd_each: 2, tokens_each: 1500 },
});

async function estimate(starts: number, runs: number): Promise<string | undefined> {
  const answers = { "GET /v1/start-plan": plan(starts, runs) };
  const { stdout } = await pawl(["run", "--dry-run"], { answers });
  return stdout.split("\n").find((line) => line.startsWith("estimate: "));
}

test("the estimate of a dry run counts past runs and those that would start", async () => {
  const each = "estimate: $2.00 and 1,500 tokens";
  expect(await estimate(3, 0)).toBe("estimate: no usage recorded for past runs");
  expect(await estimate(0, 1)).toBe(`${each} in 1 past run`);
  expect(await estimate(1, 1)).toBe(`${each} in 1 past run; about $2.00 for this one`);
  expect(await estimate(3, 4)).toBe(
    `${each} each, on average over 4 past runs; about $6.00 for these 3`,
  );
});
