// Comments on lines of a diff, in a real browser: written there, and acknowledged by the agent.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { newPage, noChromium, startChromium } from "../support/chromium.ts";

const HOSTILE = `<img src=x onerror=window.owned=1>`;
/** Changes a file, then waits for a message, reads it (which moving it says), and shows it. */
const AGENT = `sed -i s/red/blue/ paint.txt
printf '%s\\n' '${HOSTILE}' > '${HOSTILE}.txt'
while :; do
  for f in "$PAWL_INBOX"/new/*.md; do
    [ -e "$f" ] || continue
    cat "$f"
    mv "$f" "$PAWL_INBOX/cur/"
  done
  sleep 0.1
done
`;
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

describe.skipIf(noChromium)("comments on lines in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "a comment reaches the agent with the lines it is about, and the page shows that it was read (%s)",
    async (size) => {
      await using factory = await makeFactory({
        config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
        files: {
          "test.sh": "true\n",
          "agent.sh": AGENT,
          "paint.txt": "first\nthe wall is red today\nlast\n",
        },
      });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      await factory.addIssue({ title: "Paint" });
      const link = (await factory.ok("page", "open", "--no-open", "--scope", "answer")).trim();
      const page = await newPage(browser, SIZES[size]);
      await page.goto(link);
      await page.getByRole("link", { name: "#1 Paint" }).click();
      const changes = page.getByRole("region", { name: "Changes" });
      const added = changes.locator(".row.added", { hasText: "the wall is blue today" });
      await added.waitFor();
      expect(await added.locator("mark").allTextContents()).toEqual(["blue"]);
      expect(await changes.textContent()).toContain(`${HOSTILE}.txt`);
      await added.getByRole("button", { name: "Comment on line 2 of paint.txt" }).click();
      await changes.getByRole("textbox").fill(`Make it green. ${HOSTILE}`);
      await changes.getByRole("button", { name: "Send to the agent" }).click();
      const note = changes.getByRole("note");
      await note.getByText("read by the agent", { exact: false }).waitFor();
      expect(await note.textContent()).toMatch(/Chrome on Linux \(page [0-9a-f]{8}\)/);
      const shown = await factory.ok("logs", "1");
      for (const words of ["Make it green.", "paint.txt, line 2", "the wall is blue today"])
        expect(shown).toContain(words);
      expect(await page.evaluate("window.owned")).toBeUndefined();
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(SIZES[size].width);
      await page.context().close();
    },
  );
});
