// What a run shows in a real browser: its course, what was saved, checked and asked, what it changed, also
// when it is over; and what a person does with one that works.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Locator } from "playwright-core";
import type { TimelineView } from "../../src/api/timeline.ts";
import { expectNoSideways, openPage } from "../support/page-open.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";
import { noChromium, startChromium } from "../support/chromium.ts";

const AGENT = `printf '{"v":1,"kind":"usage","tokens":52000,"usd":0.41}' > "$PAWL_SPOOL/tmp/1"
mv "$PAWL_SPOOL/tmp/1" "$PAWL_SPOOL/new/1.json"
echo new > new.txt
git add -A && git commit -qm "Add a file"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

/** Every span is one bar, as long as its part of the whole; what is too short to be seen is a little longer. */
async function isToScale(factory: Factory, course: Locator): Promise<boolean> {
  const path = `/v1/runs/1.1/timeline?project=${factory.project}`;
  const { from, to, spans } = await factory.client.get<TimelineView>(path);
  const [begin, end] = [Date.parse(from), Date.parse(to ?? from)];
  const part = (at: string | null): number => (Date.parse(at ?? "") - begin) / (end - begin);
  const drawn = await course.locator("svg").evaluate((svg) => ({
    box: svg.getAttribute("viewBox"),
    bars: [...svg.querySelectorAll("rect")].map((bar) =>
      ["x", "width"].map((name) => Number(bar.getAttribute(name))),
    ),
  }));
  const whole = Number(drawn.box?.split(" ")[2]);
  const isDrawn = (
    [x = NaN, width = NaN]: number[],
    span: TimelineView["spans"][number],
  ): boolean => {
    const length = part(span.to) - part(span.from);
    const more = width / whole - length;
    return Math.abs(x / whole - part(span.from)) < 0.02 && more > -0.001 && more < 0.02;
  };
  const { bars } = drawn;
  return bars.length === spans.length && spans.every((span, at) => isDrawn(bars[at] ?? [], span));
}

describe.skipIf(noChromium)("a run in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  test.for(["desk", "phone"] as const)(
    "one that is over shows why, as `pawl why` says it, its course, logs, prompt and changes, and its checkpoints are looked into and restored (%s)",
    async (size) => {
      await using factory = await makeFactory({
        config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
        files: { "test.sh": "echo words of the gate\n", "agent.sh": AGENT },
      });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      await factory.addIssue({ title: "Add it" });
      const page = await openPage(browser, factory, { size });
      const done = page.getByRole("region", { name: "Done" });
      await done.getByRole("link", { name: "#1 Add it" }).click();
      const course = page.getByRole("region", { name: "Timeline" });
      await course.getByText("As a list").click();
      await course
        .getByText(/landed as [0-9a-f]{10}/)
        .last()
        .waitFor();
      for (const words of [
        "session 1",
        "works",
        "is checked",
        "CI passed",
        "is in the merge queue",
      ])
        expect(await course.locator("ol").textContent()).toContain(words);
      const landed = /the last run \(1\.1\) landed as [0-9a-f]{10}, (?:just now|\d+ (?:s|min) ago)/;
      await page.getByRole("region", { name: "Why" }).getByText(landed).waitFor();
      expect(await factory.ok("why", "1")).toMatch(landed);
      // The run ends a moment after its landing: the course is drawn again then.
      await factory.until("its course is drawn to scale", () => isToScale(factory, course));

      const more = page.getByRole("region", { name: "More of this run" });
      await more.getByText("Logs of its checks").click();
      await more.getByText("words of the gate").first().waitFor();
      await more.getByText("Prompt", { exact: true }).click();
      await more.getByText("Add it").first().waitFor();
      await more.getByText("Checkpoints", { exact: true }).click();
      const looks = more.getByText(/^Show checkpoint/);
      await looks.first().waitFor();
      for (const look of await looks.all()) await look.click();
      await more.getByText("+++ b/new.txt", { exact: false }).first().waitFor();
      await more.getByRole("button", { name: "Restore into a new folder" }).first().click();
      const said = more.getByText(/^Restored into /);
      const folder = ((await said.textContent()) ?? "").replace("Restored into ", "");
      expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("new\n");
      const changes = page.getByRole("region", { name: "Changes" });
      await changes.locator(".row.added", { hasText: "new" }).waitFor();
      expect(await changes.getByRole("button", { name: /^Comment on/ }).count()).toBe(0);
      expect(await factory.ok("diff", "1")).toContain("+new");
      await more.getByText("Cost", { exact: true }).click();
      await more.getByText("$0.41").waitFor();
      await expectNoSideways(page);
      await page.context().close();
    },
  );

  test.for(["desk", "phone"] as const)(
    "a run is held and released, and stopped only after a question (%s)",
    async (size) => {
      await using factory = await makeFactory({
        config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
        files: { "test.sh": "true\n", "agent.sh": "while :; do sleep 1; done\n" },
      });
      await factory.ok("init", "--yes");
      await factory.ok("up");
      await factory.addIssue({ title: "Wait" });
      const page = await openPage(browser, factory, { size });
      await page.getByRole("link", { name: "#1 Wait" }).click();
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      await button("Hold").click();
      await button("Release").waitFor();
      expect(await button("Hold").count()).toBe(0);
      expect(await factory.ok("why", "1")).toMatch(/held by Chrome on Linux/);
      await button("Release").click();
      await button("Hold").waitFor();
      await button("Stop").click();
      await button("Let it work").click();
      expect((await factory.runOf(1)).alive).toBe(true);
      await button("Stop").click();
      await button("Stop the agent").click();
      await button("Retry").waitFor();
      await factory.until("its agent is gone", async () => !(await factory.runOf(1)).alive);
      await button("Retry").click();
      await factory.until("it works again", async () => (await factory.runOf(1)).alive);
      await button("Stop").waitFor();
      await page.context().close();
    },
  );
});
