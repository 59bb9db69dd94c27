// `pawl stats`: the numbers that the page draws, from the command line, with a daemon and without one.
import { expect, test } from "vitest";
import type { StatsView } from "../../src/api/stats.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, LIMITS } from "../support/pawl.ts";

const WORK = "```sh\necho new > new.txt && git add -A && git commit -qm New\n```";

test("what landed is counted with its time, its CI runs and its parts, as JSON, CSV and a table", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("init", "--yes");
  await factory.addIssue({ title: "Add a file", body: WORK });
  await factory.ok("run", "--until-idle");
  const stats = JSON.parse(await factory.ok("stats", "--days", "2", "--json")) as StatsView;
  const { total, days, failures, roles } = stats;
  expect(total).toMatchObject({ landed: 1, not_landed: 0, review_seconds: 0 });
  expect(total.ci_runs).toBeGreaterThanOrEqual(1);
  const parts = [
    total.waiting_seconds,
    total.working_seconds,
    total.ci_seconds,
    total.queue_seconds,
  ];
  const sum = parts.reduce((a, b) => a + b);
  expect(Math.abs(sum - (total.lead_seconds ?? 0))).toBeLessThan(0.5);
  expect(days).toHaveLength(2);
  expect(failures).toEqual([]);
  expect(roles).toEqual(["dev"]);
  expect(Math.max(...stats.load.map(({ sessions }) => sessions))).toBe(1);
  const [header, ...lines] = (await factory.ok("stats", "--days", "2", "--csv")).split("\n");
  expect(header).toMatch(/^day,landed,not_landed,lead_seconds,/);
  expect(lines.map((line) => line.split(",").slice(0, 2))).toEqual(
    days.map(({ day, landed }) => [day, String(landed)]),
  );
  expect(await factory.ok("stats", "--role", "review")).toBe("");
  expect(await factory.ok("stats", "--all-projects")).toContain(days.at(-1)?.day ?? "?");
});
