// The page without a mouse, by its links, and without a jump: everything is reached by keys, every view
// opens by its own address, and nothing moves under a reader's eyes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import type { DeviceView } from "../../src/api/page.ts";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";
import { lane, openPage, SIZES } from "../support/page-open.ts";
import { pageWorld, playStory } from "../support/page-world.ts";
import type { Factory } from "../support/pawl.ts";
import { startReceiver } from "../support/receiver.ts";

const TABS_MAX = 300;

/** Tab, until it has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${String(wanted)}`);
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
}

/** How far things moved that no person moved: 0 is nothing, 0.1 is what web vitals still call good. */
const watchShifts = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push(one);
  }).observe({ type: "layout-shift", buffered: true });`;
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate("window.shifts.reduce((sum, { value }) => sum + value, 0)");

describe.skipIf(noChromium)("the page by keyboard and by links", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test("by keys alone a question is answered, a vault item approved, a landing approved, a line commented on and a run held", async () => {
    await using receiver = await startReceiver();
    await using factory = await pageWorld(`${receiver.url}/notes`);
    await playStory(factory);
    const page = await openPage(browser, factory);
    const needs = lane(page, "Needs you");
    await press(page, needs.getByRole("button", { name: "orange" }));
    await needs.getByText("Which colour").waitFor({ state: "detached" });
    const item = needs.getByRole("article", { name: "Vault item release" });
    await press(page, item.getByRole("button", { name: "Approve" }));
    await item.waitFor({ state: "detached" });
    await page.keyboard.press("q");
    await press(page, page.getByRole("button", { name: /^Raise priority of/ }));
    await page.getByText("priority 1").waitFor();
    await press(page, page.getByRole("button", { name: /^Approve / }));
    await page.getByText("The queue is empty").waitFor();
    await page.keyboard.press("h");
    await press(page, lane(page, "Working").getByRole("link", { name: /Sort the output/ }));
    await page.getByRole("heading", { level: 1, name: /Sort the output/ }).waitFor();
    await press(page, page.getByRole("button", { name: "Hold" }));
    await page.getByRole("button", { name: "Release" }).waitFor();
    const changes = lane(page, "Changes");
    await press(page, changes.getByRole("button", { name: /^Comment on line 1 of work/ }));
    await changes.getByRole("textbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Sort it by length.");
    await page.keyboard.press("Control+Enter");
    await changes.getByRole("note").getByText("Sort it by length.").waitFor();
    expect((await factory.runOf(6)).held_by).toMatch(/Chrome on Linux/);
    await page.context().close();
  });

  describe("in one factory", () => {
    let factory: Factory;
    beforeAll(async () => {
      factory = await pageWorld();
      await playStory(factory);
    });
    afterAll(async () => factory?.[Symbol.asyncDispose]());

    const viewsOf = async (): Promise<[string, RegExp][]> => {
      const { runs } = await factory.status();
      const run = runs.find(({ title }) => title.startsWith("Sort the output"))?.run ?? "";
      const of = (view: string): string => `#/${view}/${factory.project}`;
      return [
        ["#/", /^Home$/],
        ["#/queue", /^Merge queue$/],
        ["#/plots", /^Plots$/],
        ["#/factory", /^Factory$/],
        [of("home"), /^Home$/],
        [of("queue"), /^Merge queue$/],
        [of("plots"), /^Plots$/],
        [of("factory"), /^Factory$/],
        [`${of("run")}/${run}`, /Sort the output by name/],
      ];
    };

    test.for(["desk", "phone"] as const)(
      "every view opens by its own link in a new tab, and nothing on it jumps (%s)",
      async (size) => {
        const paired = await openPage(browser, factory, { size });
        const origin = await paired.evaluate<string>("location.origin");
        for (const [hash, title] of await viewsOf()) {
          const page = await paired.context().newPage();
          await page.setViewportSize(SIZES[size]);
          await page.addInitScript(watchShifts);
          await page.goto(`${origin}/${hash}`);
          await page.getByRole("heading", { level: 1, name: title }).waitFor({ state: "attached" });
          await expect.poll(() => page.getByText("Reading…").count()).toBe(0);
          await page.getByText("live", { exact: true }).first().waitFor();
          expect(await page.evaluate("location.hash")).toBe(hash);
          const shift = await shiftOf(page);
          expect({ hash, isStill: shift < 0.05, shift }).toEqual({ hash, isStill: true, shift });
          await page.close();
        }
        await paired.context().close();
      },
    );

    test("a pairing link works in a tab that shows the page already, and gives it more", async () => {
      const page = await newPage(browser);
      const link = async (scope: string): Promise<string> =>
        (await factory.ok("page", "open", "--no-open", "--scope", scope)).trim();
      const view = await link("view");
      await page.goto(`${new URL(view).origin}/#/queue`);
      await page.getByText("this browser is not paired").waitFor();
      // Only what is behind `#` differs: a browser loads nothing again for that.
      await page.goto(view);
      await page.getByText("live", { exact: true }).waitFor();
      await page.goto(await link("operate"));
      await lane(page, "Needs you").getByText("Which colour").waitFor();
      const devices = JSON.parse(await factory.ok("page", "devices", "--json")) as DeviceView[];
      expect(devices.map(({ scope }) => scope)).toEqual(
        expect.arrayContaining(["view", "operate"]),
      );
      await page.context().close();
    });
  });
});
