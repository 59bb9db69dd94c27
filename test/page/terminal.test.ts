// The agent's own terminal in a real browser: looked at, and typed into.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";

const E = "\\033";
/** Shows what a hostile text could show, then repeats what it is told. */
const REPEATS = `printf 'ready${E}]0;owned-title\\007${E}]52;c;b3duZWQ=\\007\\n'
printf '${E}]8;;javascript:window.owned=1${E}\\\\\\\\a-link${E}]8;;${E}\\\\\\\\ ${E}[?1000h\\n'
while read -r line; do echo "heard <$line>"; done
`;
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

describe.skipIf(noChromium)("a terminal in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  async function begin(agent: string): Promise<Factory> {
    const factory = await makeFactory({
      config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
      files: { "test.sh": "true\n", "agent.sh": agent },
    });
    await factory.ok("init", "--yes");
    await factory.ok("up");
    await factory.addIssue({ title: "Talk" });
    return factory;
  }

  async function openRun(factory: Factory, { scope = "terminal", size = SIZES.desk } = {}) {
    const link = (await factory.ok("page", "open", "--no-open", "--scope", scope)).trim();
    const page = await newPage(browser, size);
    await page.goto(link);
    await page.getByRole("link", { name: "#1 Talk" }).click();
    return { page, terminal: page.getByRole("region", { name: "Terminal" }) };
  }

  const screenOf = (page: Page) => page.locator(".screen .xterm-rows");

  test.for(["desk", "phone"] as const)(
    "the keyboard is taken, typed with, and given back; the run is held meanwhile, by this browser (%s)",
    async (size) => {
      await using factory = await begin(REPEATS);
      const { page, terminal } = await openRun(factory, { size: SIZES[size] });
      await screenOf(page).getByText("ready").waitFor();
      await page.keyboard.type("not yet\n");
      await terminal.getByRole("button", { name: "Take the keyboard" }).click();
      await terminal.getByText("you type; the run is held").waitFor();
      const why = await factory.ok("why", "1");
      expect(why).toMatch(/held by Chrome on Linux \(page [0-9a-f]{8}\)/);
      await page.keyboard.type("grüße 1\n");
      await screenOf(page).getByText("heard <grüße 1>").waitFor();
      await terminal.getByRole("button", { name: "Give the keyboard back" }).click();
      await terminal.getByText("live", { exact: true }).waitFor();
      expect(await factory.ok("why", "1")).not.toContain("held by");
      const shown = (await screenOf(page).textContent()) ?? "";
      expect(shown.replaceAll("\u00a0", " ")).not.toContain("not yet");
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(SIZES[size].width);
      await page.context().close();
    },
  );

  test("titles, the clipboard, links that run scripts and modes that take the mouse do nothing", async () => {
    await using factory = await begin(REPEATS);
    const { page, terminal } = await openRun(factory);
    await screenOf(page).getByText("a-link").waitFor();
    await terminal.getByRole("button", { name: "Take the keyboard" }).click();
    await terminal.getByText("you type; the run is held").waitFor();
    const heard = async (): Promise<string[]> =>
      ((await screenOf(page).textContent()) ?? "")
        .replaceAll("\u00a0", " ")
        .match(/heard <[^>]*>/g) ?? [];
    // Again where a page that connected once more lost the keys.
    await expect
      .poll(
        async () => {
          await screenOf(page).getByText("a-link").click({ force: true });
          await page.keyboard.type("x\n");
          return heard();
        },
        { interval: 2000 },
      )
      .not.toEqual([]);
    // Exactly what was typed: a terminal that told of the mouse would have typed before it.
    expect(new Set(await heard())).toEqual(new Set(["heard <x>"]));
    expect(await page.title()).toBe("Pawl");
    expect(await page.evaluate("window.owned")).toBeUndefined();
    await page.context().grantPermissions(["clipboard-read"]);
    expect(await page.evaluate("navigator.clipboard.readText()")).not.toBe("owned");
    await page.context().close();
  });

  test("a browser that was not paired for terminals looks on and cannot take the keyboard", async () => {
    await using factory = await begin(REPEATS);
    const { page, terminal } = await openRun(factory, { scope: "operate" });
    await screenOf(page).getByText("ready").waitFor();
    await terminal.getByText("pawl page --scope terminal").waitFor();
    expect(await terminal.getByRole("button", { name: "Take the keyboard" }).count()).toBe(0);
    await page.context().close();
  });

  test("a browser that closes gives the keyboard back, and a second one has to wait for it", async () => {
    await using factory = await begin(REPEATS);
    const first = await openRun(factory);
    await first.terminal.getByRole("button", { name: "Take the keyboard" }).click();
    await first.terminal.getByText("you type; the run is held").waitFor();
    const second = await openRun(factory);
    await second.terminal.getByRole("button", { name: "Take the keyboard" }).click();
    await second.terminal.getByText("another browser has the keyboard").waitFor();
    await first.page.context().close();
    await second.terminal.getByText("live", { exact: true }).waitFor();
    await second.terminal.getByRole("button", { name: "Take the keyboard" }).click();
    await second.terminal.getByText("you type; the run is held").waitFor();
    await second.page.keyboard.press("Control+Alt+k");
    await second.terminal.getByText("live", { exact: true }).waitFor();
    expect(await second.page.getByRole("dialog").count()).toBe(0);
    await second.terminal.getByRole("button", { name: "Take the keyboard" }).click();
    await second.terminal.getByText("you type; the run is held").waitFor();
    expect(await factory.ok("why", "1")).toMatch(/held by Chrome/);
    await second.page.context().close();
  });
});
