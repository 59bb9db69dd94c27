// Hands and eyes: keys, the palette, screen readers, notifications, several tabs.
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { DeviceView } from "../../src/api/page.ts";
import type { ScheduleView } from "../../src/api/schedules.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, lane, openPage } from "../support/page-open.ts";
import { fillFactory, pageWorld, playStory } from "../support/page-world.ts";
import type { Factory } from "../support/pawl.ts";

const VIEWS = ["#/", "#/queue", "#/plots", "#/factory"];
/** Its view has the question, beside all that a run's view has. */
const ASKING = /Choose a colour/;

/** What axe-core finds, as `rule: element` lines. */
async function troubles(page: Page): Promise<string[]> {
  // The page lets no script in but its own files; a debugger may run one.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe.skipIf(noChromium)("hands and eyes", () => {
  let browser: Browser;
  let factory: Factory;
  beforeAll(async () => {
    browser = await startChromium();
    factory = await pageWorld();
    await playStory(factory);
    await fillFactory(factory);
  });
  afterAll(async () => {
    await browser?.close();
    await factory?.[Symbol.asyncDispose]();
  });

  test.for(["desk", "phone"] as const)(
    "axe-core finds nothing in any view, light or dark, and no view is wider than the screen (%s)",
    async (size) => {
      const page = await openPage(browser, factory, { size });
      const card = lane(page, "Needs you").getByRole("link", { name: ASKING });
      const run = new URL((await card.first().getAttribute("href")) ?? "", page.url()).hash;
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const hash of [...VIEWS, run]) {
          await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
          await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
          await expect.poll(() => page.getByText("Reading…").count()).toBe(0);
          expect({ hash, scheme, found: await troubles(page) }).toEqual({
            hash,
            scheme,
            found: [],
          });
          await expectNoSideways(page);
        }
      }
      await page.context().close();
    },
  );

  test.for(["desk", "phone"] as const)(
    "the palette opens a run by a few letters, and pauses a queue (%s)",
    async (size) => {
      const page = await openPage(browser, factory, { size });
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).fill("sort out");
      await page.getByRole("option", { name: /Sort the output/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: /Sort the output by name/ }).waitFor();
      expect(page.url()).toContain("#/run/");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).fill("pause queue");
      await page.keyboard.press("Enter");
      const isPaused = async (): Promise<boolean> =>
        (await factory.ok("merge-queue", "status", "--json")).includes("paused on the page");
      await factory.until("the queue is paused", isPaused);
      await factory.ok("merge-queue", "resume");
      await page.context().close();
    },
  );

  test("no view is wider than the screen, from 360 px to 4k, and what it says selects and copies", async () => {
    const page = await openPage(browser, factory);
    const card = lane(page, "Working").getByRole("link", { name: /Sort the output/ });
    const run = new URL((await card.getAttribute("href")) ?? "", page.url()).hash;
    for (const width of [360, 3840]) {
      await page.setViewportSize({ width, height: 2160 });
      for (const hash of [...VIEWS, run]) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
        await expect.poll(() => page.getByText("Reading…").count()).toBe(0);
        await expectNoSideways(page);
      }
    }
    await page.evaluate('location.hash = "#/"');
    const words = lane(page, "Working").getByText("edits src/sort.ts").first();
    await words.click({ clickCount: 3 });
    await page.keyboard.press("Control+c");
    await page.context().grantPermissions(["clipboard-read"]);
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("edits src/sort.ts");
    await page.context().close();
  });

  test("every view has a key and a link, and `?` lists the keys", async () => {
    const page = await openPage(browser, factory);
    for (const [key, hash] of [
      ["q", "#/queue"],
      ["p", "#/plots"],
      ["f", "#/factory"],
      ["h", "#/"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate("location.hash")).toBe(hash);
    }
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.closest('.card') !== null")).toBe(true);
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard" });
    await keys.getByText("Merge queue").waitFor();
    await keys.getByText("Give the keyboard of a terminal back").waitFor();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a hidden page notifies of a new question once, and withdraws it when it is answered elsewhere", async () => {
    const page = await openPage(browser, factory);
    await page.addInitScript(`
      window.told = [];
      window.Notification = class extends EventTarget {
        static permission = "granted";
        constructor(title, options) { super(); this.title = title; this.isOpen = true; window.told.push(this); }
        close() { this.isOpen = false; }
      };
      Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
    `);
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    await lane(page, "Needs you").getByText("Which colour").waitFor();
    await page.evaluate("window.isAway = true");
    const told = (): Promise<string[]> =>
      page.evaluate(
        "window.told.map(({ title, isOpen }) => `${title} ${isOpen ? 'open' : 'closed'}`)",
      );
    await factory.ok("merge-queue", "pause", "--reason", "lunch");
    await expect.poll(told).toEqual(["merge queue needs you open"]);
    await factory.ok("merge-queue", "resume");
    await expect.poll(told).toEqual(["merge queue needs you closed"]);
    await page.context().close();
  });

  test("of several tabs one follows the daemon, and another goes on when it is closed", async () => {
    const first = await openPage(browser, factory);
    const others = await Promise.all([1, 2].map(() => first.context().newPage()));
    const origin = await first.evaluate<string>("location.origin");
    const readers = async (): Promise<number> => {
      const counts = await Promise.all(
        [first, ...others].map((page) =>
          page.evaluate<number>(
            "performance.getEntriesByType('resource').some((one) => one.name.includes('/v1/status')) ? 1 : 0",
          ),
        ),
      );
      return counts.reduce((sum, one) => sum + one, 0);
    };
    for (const page of others) {
      await page.goto(origin);
      await lane(page, "Needs you").getByText("Which colour").waitFor();
    }
    for (const page of [first, ...others])
      await page.evaluate("performance.clearResourceTimings()");
    await factory.ok("merge-queue", "pause", "--reason", "lunch");
    for (const page of [first, ...others]) {
      await lane(page, "Needs you").getByText("lunch").waitFor();
    }
    expect(await readers()).toBe(1);
    await factory.ok("merge-queue", "resume");
    await first.close();
    await factory.ok("merge-queue", "pause", "--reason", "tea");
    for (const page of others) await lane(page, "Needs you").getByText("tea").waitFor();
    await factory.ok("merge-queue", "resume");
    for (const page of others) await page.close();
  });

  test("a browser that was revoked is paired again while its old tab is open", async () => {
    const old = await openPage(browser, factory);
    const devices = JSON.parse(await factory.ok("page", "devices", "--json")) as DeviceView[];
    const last = devices.toSorted((a, b) => a.paired_at.localeCompare(b.paired_at)).at(-1);
    await factory.ok("page", "revoke", last?.id ?? "");
    await old.getByText("this browser was revoked").waitFor();
    const again = await old.context().newPage();
    await again.goto((await factory.ok("page", "open", "--no-open")).trim());
    await again.getByText("live", { exact: true }).waitFor();
    await again.reload();
    await again.getByText("live", { exact: true }).waitFor();
    expect(await again.getByText("revoked").count()).toBe(0);
    await old.context().close();
  });

  test.for(["desk", "phone"] as const)(
    "the factory shows next times, the health that patrols found, plugins, and what roles did and why (%s)",
    async (size) => {
      const page = await openPage(browser, factory, { size, hash: "#/factory" });
      const weekly = lane(page, "Schedules").getByRole("listitem").filter({ hasText: "weekly" });
      const [next] = JSON.parse(await factory.ok("schedule", "list", "--json")) as ScheduleView[];
      const words = await page.evaluate<string>(
        `new Date(${JSON.stringify(next?.next)}).toLocaleString()`,
      );
      await weekly.getByText(words).waitFor();
      const deacon = lane(page, "Patrols").getByRole("listitem").filter({ hasText: "deacon" });
      await deacon.getByText("all well").waitFor();
      await deacon.getByText(/watches .*merge-queue/).waitFor();
      const plugin = lane(page, "Plugins").getByRole("listitem");
      await plugin.getByText("Counts what is left to do.").waitFor();
      await plugin.getByText(/manual · 1 run,/).waitFor();
      const gardener = lane(page, "Roles").getByRole("listitem").filter({ hasText: "gardener" });
      await gardener.getByText(/^did: .+#\d+/).waitFor();
      await gardener.getByText(/^because: .+/).waitFor();
      const steps = page.getByRole("group", { name: /^Steps of release/ });
      expect(await steps.getAttribute("aria-label")).toMatch(/build done.*publish waiting/);
      await page.context().close();
    },
  );

  test("the page can be installed: its manifest is linked, read and complete", async () => {
    const page = await openPage(browser, factory);
    const session = await page.context().newCDPSession(page);
    const { errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A window that keeps nothing installs nothing: of the page itself, Chromium lacks nothing.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
    await page.context().close();
  });
});
