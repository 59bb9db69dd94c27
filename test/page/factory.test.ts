// The rest of the factory in a real browser: a gate answered, a letter read, a schedule begun, a trouble
// that the doctor found fixed, a spent budget raised.
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, lane, openPage } from "../support/page-open.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const SHIP = `name = "ship"
[[steps]]
id = "ask"
title = "Ship it?"
gate = "human"
[[steps]]
id = "go"
title = "Deliver"
needs = ["ask"]
run = "true"
`;
const SCHEDULE = `[schedule.nightly]
cron = "0 3 1 1 *"
formula = "ship"
`;
const AGENT = `
spool() { printf '%s\\n' "$2" > "$PAWL_SPOOL/tmp/$1" && mv "$PAWL_SPOOL/tmp/$1" "$PAWL_SPOOL/new/$1.json"; }
spool 1 '{"v":1,"kind":"usage","tokens":1200}'
spool 2 '{"v":1,"kind":"mail","to":"operator","subject":"Which port?","body":"80 or <b>8080</b>"}'
while :; do sleep 1; done
`;

describe.skipIf(noChromium)("the rest of the factory in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "a gate, a letter, a schedule, the doctor and a spent budget are seen to on the page (%s)",
    async (size) => {
      await using factory = await makeFactory({
        config: `${shellAgent()}${LIMITS}${TEST_GATE}${SCHEDULE}[budget]\nday = { tokens = 1000 }\n`,
        files: { "test.sh": "true\n", "agent.sh": AGENT, ".pawl/formulas/ship.toml": SHIP },
      });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      await factory.addIssue({ title: "Spend" });
      const journal = join(factory.home, "pawl.db");
      chmodSync(journal, 0o644);
      const page = await openPage(browser, factory, { size, hash: "#/factory" });

      const schedules = lane(page, "Schedules");
      await schedules.getByRole("button", { name: "Run now: nightly" }).click();
      const graph = page.getByRole("group", { name: /^Steps of ship/ });
      await graph.waitFor();
      const gates = lane(page, `Gates of ${factory.project}`);
      await gates.getByText("Ship it?").first().waitFor();
      await gates.getByRole("button", { name: "close", exact: true }).click();
      await gates.getByText("No gate is open.").waitFor();
      await expect.poll(() => graph.getAttribute("aria-label")).toContain("go done");
      const all = await factory.ok("gate", "list", "--all", "--json");
      expect(all).toMatch(/"closed_by":\s*"Chrome on Linux \(page [0-9a-f]{8}\)"/);

      const mail = lane(page, "Mail");
      await mail.getByText("80 or <b>8080</b>").waitFor();
      await mail.getByRole("button", { name: "Acknowledge: Which port?" }).click();
      await mail.getByText("No letter waits for you.").waitFor();
      expect(await factory.ok("mail", "inbox")).not.toContain("Which port?");

      const doctor = lane(page, "Doctor");
      await doctor.getByRole("button", { name: "Examine" }).click();
      await doctor.getByText("pawl.db is accessible to other users", { exact: false }).waitFor();
      await doctor.getByRole("button", { name: "Fix what can be fixed" }).click();
      await doctor.getByText("fixed", { exact: true }).first().waitFor();
      expect(statSync(journal).mode & 0o777).toBe(0o600);
      await expectNoSideways(page);

      await page.keyboard.press("h");
      const needs = lane(page, "Needs you");
      const spent = needs.getByText("day spent 1,200 of 1,000 tokens", { exact: false });
      expect(await spent.textContent()).toMatch(/no agent starts for \d+ (?:h|min|s)\b[^:]*$/);
      await needs.getByText("agents start again in").waitFor();
      await needs.getByRole("button", { name: "allow as much again today" }).click();
      await needs.getByText("day spent", { exact: false }).waitFor({ state: "detached" });
      expect((await factory.status()).projects[0]?.paused).toBeNull();
      await page.context().close();
    },
  );
});
