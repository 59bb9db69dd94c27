// What a run that is over shows in a real browser: its course, what was saved, checked and asked.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";

const AGENT = `echo new > new.txt
git add -A && git commit -qm "Add a file"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

describe.skipIf(noChromium)("a run in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test("its course is drawn, and its checkpoints are listed, and the logs of its checks and its prompt can be read", async () => {
    await using factory = await makeFactory({
      config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
      files: { "test.sh": "echo words of the gate\n", "agent.sh": AGENT },
    });
    await factory.ok("init", "--yes");
    await factory.ok("up");
    await factory.addIssue({ title: "Add it" });
    const page = await newPage(browser);
    await page.goto((await factory.ok("page", "open", "--no-open")).trim());
    const done = page.getByRole("region", { name: "Done" });
    await done.getByRole("link", { name: "#1 Add it" }).click();
    const course = page.getByRole("region", { name: "Timeline" });
    await course.getByText("As a list").click();
    await course
      .getByText(/landed as [0-9a-f]{10}/)
      .last()
      .waitFor();
    for (const words of ["life 1", "works", "is checked", "CI passed", "is in the merge queue"])
      expect(await course.locator("ol").textContent()).toContain(words);
    const bars = await course.locator("rect").count();
    expect(bars).toBe(await course.locator("ol li").count());

    const more = page.getByRole("region", { name: "More of this run" });
    await more.getByText("Logs of its checks").click();
    await more.getByText("words of the gate").first().waitFor();
    await more.getByText("Prompt", { exact: true }).click();
    await more.getByText("Add it").first().waitFor();
    await more.getByText("Checkpoints", { exact: true }).click();
    const looks = more.getByText(/^Look into checkpoint/);
    await looks.first().waitFor();
    await page.context().close();
  });
});
