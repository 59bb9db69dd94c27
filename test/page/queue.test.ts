// The merge queue as a picture, and what is done to it there.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { QueueView } from "../../src/api/queue.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { expectNoSideways, openPage } from "../support/page-open.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

/** `a` changes a protected file; `b` and `c` change the same line. */
async function threeBranches(gate = "true\n"): Promise<Factory> {
  const factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}[merge_queue]\nprotected = ["test.sh"]\n`,
    files: { "test.sh": gate, "line.txt": "one\n" },
  });
  await factory.ok("init", "--yes");
  const branch = (name: string, files: Record<string, string>): void => {
    factory.git("checkout", "-q", "-b", name, "main");
    factory.commit(files, `Change ${name}`);
    factory.git("checkout", "-q", "main");
  };
  branch("a", { "test.sh": "true # again\n" });
  branch("b", { "line.txt": "two\n" });
  branch("c", { "line.txt": "three\n" });
  branch("d", { "other.txt": "new\n" });
  await factory.ok("up");
  return factory;
}

const queueOf = async (factory: Factory): Promise<QueueView> =>
  JSON.parse(await factory.ok("merge-queue", "status", "--json")) as QueueView;

describe.skipIf(noChromium)("the merge queue on the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "entries are raised, removed, approved and landed where they are shown, with their proof (%s)",
    async (size) => {
      await using factory = await threeBranches();
      const page = await openPage(browser, factory, { size });
      await page.keyboard.press("q");
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Resume" }).waitFor();
      await factory.ok("merge-queue", "add", "a", "b", "c");
      const chain = page.getByRole("list", { name: /^On the way/ });
      const link = (branch: string) =>
        chain.getByRole("listitem").filter({ has: page.getByText(branch, { exact: true }) });
      await link("c").getByRole("button", { name: "Raise priority of c" }).click();
      await link("c").getByText("priority 1").waitFor();
      await factory.ok("merge-queue", "priority", "c", "2");
      await link("c").getByText("priority 2").waitFor();
      await link("b").getByRole("button", { name: "Remove b" }).click();
      await link("b").waitFor({ state: "detached" });
      await expectNoSideways(page);
      await page.getByRole("button", { name: "Resume" }).click();
      await link("a").getByRole("button", { name: "Approve a" }).click();
      await expect
        .poll(() => page.getByRole("region", { name: "Left the queue" }).textContent())
        .toMatch(/landed.*a.*approved by Chrome on Linux/);
      await page.getByText("The queue is empty").waitFor();
      const proven = page.getByRole("region", { name: "What was proven" });
      await proven.getByText("passed").first().waitFor();
      const { past } = await queueOf(factory);
      expect(past.map(({ branch, status }) => `${branch} ${status}`).toSorted()).toEqual([
        "a merged",
        "b withdrawn",
        "c merged",
      ]);
      await page.context().close();
    },
  );

  test("a flake is called one, a test shows how far it is, and entries say whom they conflict with and when they land", async () => {
    const control = mkdtempSync(join(tmpdir(), "pawl-gate-"));
    const [flaky, slow] = [join(control, "flaky"), join(control, "slow")];
    writeFileSync(flaky, "");
    const gate = `[ -e ${flaky} ] && rm ${flaky} && exit 1\nwhile [ -e ${slow} ]; do sleep 0.1; done\n`;
    await using factory = await threeBranches(gate);
    const page = await openPage(browser, factory, { hash: "#/queue" });
    await factory.ok("merge-queue", "add", "d");
    const proven = page.getByRole("region", { name: "What was proven" });
    await proven.getByText("flaky").waitFor();
    await page.getByText("The queue is empty").waitFor();
    writeFileSync(slow, "");
    await factory.ok("merge-queue", "add", "b", "c");
    const link = (branch: string) =>
      page.getByRole("listitem").filter({ has: page.getByText(branch, { exact: true }) });
    await link("b").getByText("under test for").waitFor();
    await link("b").getByRole("progressbar", { name: "Progress of the test" }).waitFor();
    await link("b")
      .getByText(/lands in about|later than usual/)
      .waitFor();
    await link("c")
      .getByText(/conflicts with e\d+ \(b\) in line\.txt/)
      .first()
      .waitFor();
    rmSync(control, { recursive: true });
    await expect
      .poll(() => page.getByRole("region", { name: "Left the queue" }).textContent())
      .toMatch(/landed.*b/);
    await page.context().close();
  });
});
