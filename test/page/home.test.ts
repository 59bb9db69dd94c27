// The cards of the home view: what they show, and what is settled on them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { VaultView } from "../../src/api/vault.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, lane, openPage } from "../support/page-open.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { pageWorld, playStory } from "../support/page-world.ts";
import { shellAgent } from "../support/pawl.ts";
import { startReceiver } from "../support/receiver.ts";

describe.skipIf(noChromium)("the cards of the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "a working card tells all of its agent; vault items and held landings are settled on theirs (%s)",
    async (size) => {
      await using receiver = await startReceiver();
      await using factory = await pageWorld(`${receiver.url}/notes`);
      await playStory(factory);
      const page = await openPage(browser, factory, { size, hash: `#/home/${factory.project}` });
      const working = lane(page, "Working").getByRole("article");
      const card = working.filter({ hasText: "Sort the output by name" });
      for (const text of ["edits src/sort.ts", "context 47 %", "$0.87", "agent.sh"]) {
        await card.getByText(text).waitFor();
      }
      expect(await card.getByRole("img").getAttribute("aria-label")).toMatch(/^[1-9]\d* events/);
      const age = card.locator("time").first();
      const before = await age.textContent();
      await expect.poll(() => age.textContent()).not.toBe(before);
      await working.filter({ hasText: "two Nodes" }).getByText("queue 1:").waitFor();
      await expectNoSideways(page);

      const needs = lane(page, "Needs you");
      const item = needs.getByRole("article", { name: "Vault item release" });
      const shown = JSON.parse((await item.getByLabel("Payload").textContent()) ?? "") as object;
      const asked = await vaultItem(factory);
      expect(shown).toEqual(asked.payload);
      await item.getByText(asked.sha256.slice(0, 12)).waitFor();
      await item.getByRole("button", { name: "Approve" }).click();
      await item.waitFor({ state: "detached" });
      const { log } = await vaultItem(factory);
      expect(log.map(({ text }) => text).join("\n")).toMatch(/approved by Chrome on Linux \(page/);

      const held = needs.getByRole("article").filter({ hasText: "an operator must approve it" });
      await held.getByRole("button", { name: "Approve" }).click();
      await lane(page, "Done").getByText("Run the tests on two Nodes").waitFor();
      await needs.getByRole("button", { name: "orange" }).click();
      await needs.getByText("Nothing needs you").waitFor();
      await page.context().close();
    },
  );

  test("a card and its run lead to the issue on the forge", async () => {
    await using factory = await makeForgeFactory({
      agent: shellAgent(),
      files: { "agent.sh": "while :; do sleep 1; done\n", "tests/a.sh": "true\n" },
    });
    const number = await factory.fileIssue("Paint it", "please");
    await factory.ok("init", "--yes");
    await factory.ok("up");
    const page = await openPage(browser, factory);
    const card = lane(page, "Working").getByRole("article");
    const address = await card.getByRole("link", { name: "issue" }).getAttribute("href");
    expect(address).toMatch(new RegExp(`^http.*/issues/${number}$`));
    await card.getByRole("link", { name: "Paint it" }).click();
    await page.getByRole("heading", { level: 1, name: /Paint it/ }).waitFor();
    expect(await page.getByRole("link", { name: "issue" }).getAttribute("href")).toBe(address);
    await page.context().close();
  });
});

async function vaultItem(factory: { ok(...args: string[]): Promise<string> }): Promise<VaultView> {
  return JSON.parse(await factory.ok("vault", "show", "release", "--json")) as VaultView;
}
