// The page in a real browser: what a person sees and does there, at the size of a desk and a phone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { ASKS, LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";

const CONFIG = {
  config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
  files: { "test.sh": "true\n", "agent.sh": ASKS },
};
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const SHAPES = ["desk", "phone"] as const;
/** What a stranger could write into a title; it would tell of itself if it ran. */
const HOSTILE = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`;

describe.skipIf(noChromium)("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  async function openPage(factory: Factory, size: keyof typeof SIZES): Promise<Page> {
    const link = (await factory.ok("page", "open", "--no-open")).trim();
    const page = await newPage(browser, SIZES[size]);
    await page.goto(link);
    await page.getByText("live", { exact: true }).waitFor();
    return page;
  }

  const lane = (page: Page, name: string) => page.getByRole("region", { name });

  test.for(["desk", "phone"] as const)(
    "a question is answered on its card, and the issue is then shown as done (%s)",
    async (size) => {
      await using factory = await makeFactory(CONFIG);
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const page = await openPage(factory, size);
      await factory.addIssue({ title: `Paint it ${HOSTILE}` });
      const asked = lane(page, "Needs you");
      await asked.getByText("which colour?").waitFor();
      expect(await asked.getByRole("heading", { level: 3 }).textContent()).toContain(HOSTILE);
      await asked.getByRole("textbox").fill("blue");
      await asked.getByRole("button", { name: "Answer" }).click();
      await lane(page, "Done").getByText("landed").waitFor();
      expect(await lane(page, "Needs you").textContent()).toContain("Nothing needs you");
      expect(await page.evaluate("window.owned")).toBeUndefined();
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(SIZES[size].width);
      await page.context().close();
    },
  );

  test("a run shows why it stands where it stands, its terminal and its changes", async () => {
    const agent = `echo words-of-the-agent\necho new > new.txt\n${ASKS}`;
    await using factory = await makeFactory({
      ...CONFIG,
      files: { ...CONFIG.files, "agent.sh": agent },
    });
    await factory.ok("init", "--yes");
    await factory.ok("up");
    await factory.addIssue({ title: "Paint it" });
    const page = await openPage(factory, "desk");
    await lane(page, "Needs you").getByRole("link", { name: "#1 Paint it" }).click();
    await page.getByRole("region", { name: "Why" }).getByText("which colour?").first().waitFor();
    // What is drawn: for screen readers the same words are there again.
    const screen = page.getByRole("region", { name: "Terminal" }).locator(".xterm-rows");
    // What is out of sight is not drawn.
    await screen.scrollIntoViewIfNeeded();
    await screen.getByText("words-of-the-agent").waitFor();
    expect(await page.getByRole("region", { name: "Changes" }).textContent()).toContain("+new");
    await page.context().close();
  });

  test.for(SHAPES)(
    "a queue that is paused on the page is paused by this browser, as the command line shows (%s)",
    async (size) => {
      await using factory = await makeFactory(CONFIG);
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const page = await openPage(factory, size);
      await page.getByRole("link", { name: "Merge queue" }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Resume" }).waitFor();
      const { paused } = JSON.parse(await factory.ok("merge-queue", "status", "--json")) as {
        paused: { by: string };
      };
      expect(paused.by).toMatch(/Chrome on Linux \(page [0-9a-f]{8}\)/);
      await page.context().close();
    },
  );

  test("when the daemon stops the page says so; it reconnects and misses nothing, also after kill -9", async () => {
    await using factory = await makeFactory(CONFIG);
    await factory.ok("init", "--yes");
    await factory.ok("up");
    const page = await openPage(factory, "desk");
    await factory.ok("down");
    await page.getByText("the daemon does not answer").waitFor();
    await page.getByText(/^Not live: this is how things stood/).waitFor();
    await factory.addIssue({ title: "While you were away" });
    await factory.ok("up");
    await lane(page, "Needs you").getByText("While you were away").waitFor();
    expect(await page.getByText("Not live").count()).toBe(0);
    const pid = (await factory.status()).daemon?.pid ?? Number.NaN;
    await page.evaluate(`window.said = [];
      new MutationObserver(() => window.said.push(document.querySelector(".state").textContent))
        .observe(document.querySelector("header"), { subtree: true, childList: true, characterData: true })`);
    process.kill(pid, "SIGKILL");
    await factory.until("its keeper has started another daemon", async () => {
      const { stdout } = await factory.pawl("status", "--json");
      const { daemon } = JSON.parse(stdout || "{}") as { daemon?: { pid: number } };
      return daemon !== undefined && daemon !== null && daemon.pid !== pid;
    });
    await factory.addIssue({ title: "After its death" });
    await lane(page, "Needs you").getByText("After its death").waitFor();
    expect(await page.evaluate("window.said.join()")).toContain("the daemon does not answer");
    expect(await lane(page, "Needs you").getByRole("article").count()).toBe(2);
    await page.context().close();
  });

  test.for(SHAPES)(
    "a revoked browser loses its access at once, and its link does not work a second time (%s)",
    async (size) => {
      await using factory = await makeFactory(CONFIG);
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const link = (await factory.ok("page", "--no-open")).trim();
      const first = await newPage(browser, SIZES[size]);
      await first.goto(link);
      await first.getByText("live", { exact: true }).waitFor();
      const second = await newPage(browser, SIZES[size]);
      await second.goto(link);
      await second.getByText("this link was used").waitFor();
      const [device] = JSON.parse(await factory.ok("page", "devices", "--json")) as {
        id: string;
      }[];
      await factory.ok("page", "revoke", device?.id ?? "");
      await first.getByText("this browser was revoked").waitFor();
      expect(await factory.ok("page", "devices")).toBe("");
      for (const page of [first, second]) await page.context().close();
    },
  );
});
