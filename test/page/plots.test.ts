// The plots: drawn from the numbers that `pawl stats` prints.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { StatsView } from "../../src/api/stats.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, openPage } from "../support/page-open.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const WORK = "```sh\necho new > new.txt && git add -A && git commit -qm New\n```";

describe.skipIf(noChromium)("the plots of the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "plots say what `pawl stats` says, follow the role, and load their code only when opened (%s)",
    async (size) => {
      await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}` });
      await factory.ok("init", "--yes");
      await factory.addIssue({ title: "Add a file", body: WORK });
      await factory.ok("run", "--until-idle");
      await factory.ok("up");
      const page = await openPage(browser, factory, { size });
      const scripts = (): Promise<number> =>
        page.evaluate(
          "performance.getEntriesByType('resource').filter((one) => one.name.includes('/plots-page-')).length",
        );
      expect(await scripts()).toBe(0);
      await page.keyboard.press("p");
      const landed = page.getByRole("img", { name: "Landed per day: 1 landed, 0 did not" });
      await landed.locator("canvas").waitFor();
      expect(await scripts()).toBe(1);
      const { total } = JSON.parse(await factory.ok("stats", "--json")) as StatsView;
      await page.getByText(`on average, ${total.ci_runs} runs`).waitFor();
      await expectNoSideways(page);
      await page.getByLabel("Range").selectOption("7 days");
      await page.getByRole("combobox", { name: /^Role/ }).selectOption("dev");
      await landed.waitFor();
      await page.context().close();
    },
  );
});
