// The cards of the home view: what they show, and what is settled on them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { VaultView } from "../../src/api/vault.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, lane, openPage } from "../support/page-open.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { pageWorld, playStory } from "../support/page-world.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { secondProject } from "../support/second-project.ts";
import { startReceiver } from "../support/receiver.ts";

const CONFIG = `${shellAgent()}${TEST_GATE}${LIMITS}`;
/** The first one lands, with a letter; the others give up. */
const AGENT = `
spool() { printf '%s\\n' "$2" > "$PAWL_SPOOL/tmp/$1" && mv "$PAWL_SPOOL/tmp/$1" "$PAWL_SPOOL/new/$1.json"; }
if [ "$PAWL_ISSUE" = 1 ]; then
  spool 1 '{"v":1,"kind":"usage","tokens":52000,"usd":0.41}'
  spool 2 '{"v":1,"kind":"mail","to":"operator","subject":"Done","body":"All of it."}'
  echo new > new.txt && git add -A && git commit -qm New
  echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
else
  printf 'PHASE:failed\\nReason: it cannot be done\\n' > "$PAWL_PHASE_FILE"
fi
while :; do sleep 1; done
`;

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
      // From a minute on, it says the minutes only.
      await expect.poll(() => age.textContent(), { timeout: 150_000 }).not.toBe(before);
      const queued = working.filter({ hasText: "two Nodes" });
      for (const text of ["queue 1:", "CI passed"]) await queued.getByText(text).waitFor();
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

      const held = needs.getByRole("article").filter({ hasText: "you must approve it" });
      await held.getByRole("button", { name: "Approve" }).click();
      await lane(page, "Done").getByText("Run the tests on two Nodes").waitFor();
      await needs.getByRole("button", { name: "orange" }).click();
      await needs.getByText("Nothing needs you").waitFor();
      await page.context().close();
    },
  );

  test.for(["desk", "phone"] as const)(
    "in the morning one glance shows what is new, what it cost, what needs you and what is wrong (%s)",
    async (size) => {
      await using factory = await makeFactory({
        config: CONFIG,
        files: { "test.sh": "[ ! -e red.txt ]\n", "agent.sh": AGENT },
      });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const page = await openPage(browser, factory, { size });
      await page.addInitScript(
        "navigator.setAppBadge = async (count) => { window.badge = count; }",
      );
      await page.reload();
      await lane(page, "Working").getByText("has no open issue").waitFor();
      expect([await page.title(), await page.evaluate("window.badge")]).toEqual(["Pawl", 0]);
      await page.goto("about:blank");
      await factory.addIssue({ title: "Add it" });
      await factory.addIssue({ title: "Give up" });
      await factory.until("the night is over", async () => {
        const { runs, waits } = await factory.status();
        const ends = runs.map(({ outcome }) => outcome);
        return (
          ends.length === 2 && !ends.includes(null) && waits.some(({ about }) => about === "mail")
        );
      });
      factory.commit({ "red.txt": "broken\n" }, "Break the target");
      await factory.addIssue({ title: "Wait for a green target" });
      await page.goBack();
      await page.getByText(/today 1 landed, \$0\.41 spent/).waitFor();
      await page.getByText(/New since you looked/).waitFor();
      const done = lane(page, "Done").getByRole("article");
      await expect
        .poll(() => done.allTextContents())
        .toEqual([expect.stringMatching(/new$/), expect.stringMatching(/new$/)]);
      await page.getByRole("link", { name: /mail: dev-1 writes: Done/ }).waitFor();
      const needs = lane(page, "Needs you");
      await needs.getByText("the gate fails on main").waitFor();
      const count = await needs.locator("h2 .count").textContent();
      await expect.poll(() => page.title()).toBe(`(${count}) Pawl`);
      expect(await page.evaluate("window.badge")).toBe(Number(count));
      await page.reload();
      await done.first().waitFor();
      expect(await done.filter({ hasText: "new" }).count()).toBe(0);
      factory.commit({ "test.sh": "true\n" }, "Fix the target");
      await needs.getByRole("button", { name: "check again" }).click();
      await needs.getByText("the gate fails on main").waitFor({ state: "detached" });
      await expectNoSideways(page);
      await page.context().close();
    },
  );

  test.for(["desk", "phone"] as const)(
    "a project that is chosen is shown alone, with its own last runs, and older ones on request (%s)",
    async (size) => {
      await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": AGENT } });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      const other = await secondProject(factory, CONFIG, { "agent.sh": AGENT });
      await factory.addIssue({ title: "Add it" });
      await factory.ok("--project", other, "issue", "add", "--title", "Add it there");
      const page = await openPage(browser, factory, { size });
      const done = lane(page, "Done");
      await done.getByText("Add it there").waitFor();
      await done.getByRole("link", { name: "#1 Add it", exact: true }).waitFor();
      await done.getByText(other).first().waitFor();
      await page.getByLabel("Project").selectOption(other);
      await done
        .getByRole("link", { name: "#1 Add it", exact: true })
        .waitFor({ state: "detached" });
      await done.getByText("Add it there").waitFor();
      expect(page.url()).toContain(`#/home/${other}`);
      // Nothing says again what the choice says.
      expect(await done.getByText(other).count()).toBe(0);
      // The daemon is asked for one run instead of thirty.
      await page.route(/\/v1\/history/, (route) =>
        route.continue({ url: route.request().url().replace("limit=30", "limit=1") }),
      );
      await page.getByLabel("Project").selectOption("all projects");
      await page.reload();
      await expect.poll(() => done.getByRole("article").count()).toBe(1);
      await done.getByRole("button", { name: "Show older" }).click();
      await expect.poll(() => done.getByRole("article").count()).toBe(2);
      await done.getByRole("button", { name: "Show older" }).waitFor({ state: "detached" });
      // The last run of all projects belongs to one of them; the other has its own.
      for (const name of [factory.project, other]) {
        await page.getByLabel("Project").selectOption(name);
        await expect.poll(() => done.getByRole("article").count()).toBe(1);
      }
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
