// The plots: drawn from the numbers that `pawl stats` prints.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { StatsView } from "../../src/api/stats.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, openPage } from "../support/page-open.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { secondProject } from "../support/second-project.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const FAILS = "```sh\nexit 1\n```";
const WORK = "```sh\necho new > new.txt && git add -A && git commit -qm New\n```";

describe.skipIf(noChromium)("the plots of the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "plots say what `pawl stats` says, and load their code only when opened (%s)",
    async (size) => {
      await using factory = await makeFactory({ config: CONFIG });
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
      await page.context().close();
    },
  );

  test.for(["desk", "phone"] as const)(
    "range, project and role choose what is drawn, as they choose what `pawl stats` prints (%s)",
    async (size) => {
      await using factory = await makeFactory({ config: CONFIG });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const other = await secondProject(factory, CONFIG);
      await factory.addIssue({ title: "Add a file", body: WORK });
      const add = ["--project", other, "issue", "add", "--title"];
      await factory.ok(...add, "Add the same there", "--body", WORK);
      await factory.ok(...add, "Fail there", "--body", FAILS, "--label", "backlog");
      await factory.until("all are over", async () => {
        const { runs } = await factory.status();
        return runs.length === 3 && runs.every(({ outcome }) => outcome !== null);
      });
      const page = await openPage(browser, factory, { size, hash: "#/plots" });
      const said = async (...options: string[]): Promise<string> => {
        const text = await factory.ok("stats", "--json", ...options);
        const { total } = JSON.parse(text) as StatsView;
        return `${total.landed} landed, ${total.not_landed} did not`;
      };
      const drawn = (words: string) =>
        page
          .getByRole("img", { name: `Landed per day: ${words}` })
          .locator("canvas")
          .waitFor();
      const all = await said("--all-projects");
      const [own, others] = [await said(), await said("--project", other)];
      expect(new Set([all, own, others]).size).toBe(3);
      await drawn(all);
      await page.getByLabel("Project").selectOption(other);
      await drawn(others);
      await page.getByLabel("Project").selectOption(factory.project);
      await drawn(own);
      const asked = page.waitForRequest(/\/v1\/stats\?days=7&role=dev/);
      await page.getByLabel("Range").selectOption("7 days");
      await page.getByRole("combobox", { name: /^Role/ }).selectOption("dev");
      await asked;
      await drawn(await said("--days", "7", "--role", "dev"));
      await page.context().close();
    },
  );
});
