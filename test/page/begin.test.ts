// How the page begins: with the demo, and with the daemon where factory.toml says so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";
import { lane, SIZES } from "../support/page-open.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

test("[page] enabled opens the port with the daemon, although no browser is paired", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
  });
  await factory.ok("init", "--yes");
  await factory.ok("up");
  const { origin } = new URL(await factory.ok("page", "open", "--no-open"));
  const answers = (): Promise<boolean> =>
    fetch(`${origin}/icon.svg`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await answers()).toBe(true);
  await factory.ok("down");
  await factory.ok("up");
  expect(await answers()).toBe(false);
  await factory.ok("down");
  writeFileSync(join(factory.home, "factory.toml"), "[page]\nenabled = true\n");
  await factory.ok("up");
  await factory.until("the page answers", answers);
});

describe.skipIf(noChromium)("the demo on the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test("the demo begins when the page is open, and is watched to its end (desk and phone)", async () => {
    await using factory = await makeFactory();
    const demo = factory.background("demo", "--page");
    const link = await factory.until(
      "the link is printed",
      async () => /http:\S+#pair=\S+/.exec(demo.output())?.[0],
    );
    const desk = await newPage(browser, SIZES.desk);
    await desk.goto(link);
    await lane(desk, "Working").getByRole("article").first().waitFor();
    const phone = await desk.context().newPage();
    await phone.setViewportSize(SIZES.phone);
    await phone.goto(new URL(link).origin);
    for (const page of [desk, phone]) {
      const done = lane(page, "Done").getByText("landed", { exact: true });
      await expect.poll(() => done.count(), { timeout: 200_000 }).toBe(8);
      await lane(page, "Working").getByText("No agent is at work").waitFor();
      await lane(page, "Needs you").getByText("Nothing needs you").waitFor();
    }
    await factory.until("the demo has told its end", async () =>
      demo.output().includes("until you press Ctrl-C"),
    );
    await desk.context().close();
    demo.kill("SIGINT");
    expect((await demo.ended).stdout).toContain("8 of 8 issues landed");
  });
});
