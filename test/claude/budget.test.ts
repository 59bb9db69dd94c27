// Budgets with an agent that keeps books of its own: its transcript is read while it works.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";
import { makeClaudeFactory, noClaude } from "../support/claude.ts";

const SAVE = `printf '{"v":1,"kind":"hook","summary":"half of it"}' > "$PAWL_SPOOL/tmp/h" && mv "$PAWL_SPOOL/tmp/h" "$PAWL_SPOOL/new/h.json"`;

test.skipIf(noClaude)(
  "without a budget, costs shows what a session used while its tool runs",
  async () => {
    await using factory = await makeClaudeFactory();
    const go = join(factory.root, "go");
    await factory.addIssue({
      title: "Spend",
      body: `[[usage: 20000 50]] [[bash: until test -e ${go}; do sleep 0.2; done]]`,
    });
    const running = factory.background("run", "--until-idle");
    await factory.until("the use is booked", async () => {
      return (await factory.client.get<CostsView>("/v1/costs")).rows.length > 0;
    });
    const costs = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
    expect(costs.total.input_tokens).toBeGreaterThanOrEqual(20_000);
    expect(await factory.runOf(1)).toMatchObject({ alive: true });
    running.kill("SIGTERM");
    await running.ended;
  },
);

test.skipIf(noClaude)("a run that has used its tokens is saved and asked about", async () => {
  await using factory = await makeClaudeFactory({
    config: `${TEST_GATE}${LIMITS}[budget]\nrun = { tokens = 10_000 }\n`,
  });
  const issue = await factory.addIssue({
    title: "Spend",
    body: [
      "[[usage: 20000 50]] [[bash: echo half > half.txt]]",
      `[[on hand-off]][[bash: ${SAVE}]][[end]]`,
    ].join(" "),
  });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringMatching(/budget: run spent [\d,]+ of 10,000/)]);
  const { budgets } = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  expect(budgets).toMatchObject([{ what: `run ${issue}.1`, spent: true }]);
  expect(budgets[0]?.tokens).toBeGreaterThanOrEqual(20_050);
  const saved = factory.gitIn(
    `${factory.home}/projects/${factory.project}/hub.git`,
    "show",
    `refs/pawl/checkpoints/dev-${issue}:half.txt`,
  );
  expect(saved).toBe("half");
  expect(await factory.runOf(issue)).toMatchObject({ epoch: 1, alive: false });
});
