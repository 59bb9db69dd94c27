// A comment that a person makes on a line of the diff, in Chromium, reaches Claude Code: it is typed with
// the lines, confirmed by its own hook, worked on, and shown as read. test/page/comments.test.ts does the
// same on a phone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { noChromium, startChromium } from "../support/chromium.ts";
import { COMMIT, makeClaudeFactory, noClaude } from "../support/claude.ts";
import { lane, openPage } from "../support/page-open.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";

const WORK = `[[bash: echo red > paint.txt]]`;
const ON_COMMENT = `[[on comment]][[bash: echo green > paint.txt && ${COMMIT}]][[end]]`;

describe.skipIf(noClaude || noChromium)("Claude Code on the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test("a comment on a line is read and worked on by Claude Code, and the page shows when", async () => {
    await using factory = await makeClaudeFactory({
      claude: 'model = "sonnet"',
      // Its turn is over when it is told: it must not be ended while the browser is slow.
      config: `${TEST_GATE}${LIMITS}idle_check = "1 h"\n`,
    });
    const issue = await factory.addIssue({ title: "Paint", body: `${WORK} ${ON_COMMENT}` });
    await factory.ok("up");
    const page = await openPage(browser, factory, { size: "desk" });
    const card = lane(page, "Working").getByRole("article");
    await card.getByText(/dev-\d+ · claude sonnet/).waitFor();
    await card.getByRole("link", { name: "Paint" }).click();
    const changes = lane(page, "Changes");
    await changes.getByRole("button", { name: "Comment on line 1 of paint.txt" }).click();
    await changes.getByRole("textbox").fill("Make it green.");
    await changes.getByRole("button", { name: "Send to the agent" }).click();
    await changes.getByRole("note").getByText("read by the agent").waitFor();
    await factory.until(
      "it has landed",
      async () => (await factory.runOf(issue)).outcome === "landed",
    );
    expect(factory.git("show", "main:paint.txt")).toBe("green");
    await page.context().close();
  });
});
