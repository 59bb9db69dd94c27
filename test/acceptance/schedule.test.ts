// Schedules through the commands a person types: what is due starts by itself, goes on after a kill,
// and what is switched off or has no formula says so.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScheduleView } from "../../src/api/schedules.ts";
import { makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";

const schedule = (name: string, lines: string): string =>
  `[schedule.${name}]\n${lines}\nmemory_mb = 1\n`;

const WAIT = `formula = "wait"
[[steps]]
id = "wait"
run = 'until [ -e "$HOME/go" ]; do sleep 0.05; done'
`;

const NEWS = '[[notify]]\nkind = "command"\ncommand = ["sh", "-c", "cat >> $HOME/news"]\n';

/**
 * One that takes longer than its turn, one that needs more memory than there is, and one a day that
 * does not come while this is tested.
 */
const MORE = [
  schedule("slow", 'every = "1 s"\nformula = "wait"'),
  '[schedule.large]\nevery = "1 s"\nformula = "sweep"\nmemory_mb = 1000000\n',
  schedule("daily", `cron = "0 ${(new Date().getUTCHours() + 12) % 24} * * *"\nformula = "wait"`),
].join("");

test("what is due starts by itself and once, also after a kill; what is off never does", async () => {
  await using factory = await makeFactory({
    files: {
      ".pawl/formulas/sweep.toml": `formula = "sweep"
description = "Sweep."
version = 1
[vars.out]
default = "/dev/null"
[[steps]]
id = "sweep"
title = "Sweep"
run = ["sh", "-c", "echo swept >> ../../../../../../../swept.txt"]
`,
      ".pawl/formulas/wait.toml": WAIT,
    },
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n${schedule("tick", 'every = "2 s"\nformula = "sweep"')}${schedule("off", 'every = "1 s"\nformula = "sweep"\nenabled = false')}${schedule("lost", 'cron = "0 6 * * *"\ntz = "Europe/Berlin"\nformula = "nowhere"')}${schedule("garden", 'cron = "0 6,18 * * *"\nrole = "gardener"\njitter = "10 min"')}${MORE}${NEWS}`,
  });
  const list = async (): Promise<ScheduleView[]> =>
    JSON.parse(await factory.ok("schedule", "list", "--json")) as ScheduleView[];
  const named = async (name: string): Promise<ScheduleView> => {
    const found = (await list()).find((one) => one.name === name);
    if (found === undefined) throw new Error(`no schedule ${name}`);
    return found;
  };
  await factory.ok("up");
  await factory.register();
  const first = await factory.until("it was finished once", async () => {
    const tick = await named("tick");
    return tick.last_result === "finished" && tick;
  });
  expect(first).toMatchObject({ when: "every 2s", work: "formula sweep", enabled: true });
  const { daemon } = await factory.status();
  process.kill(daemon?.pid ?? 0, "SIGKILL");
  await factory.until("it comes again under the next daemon", async () => {
    const tick = await named("tick");
    return tick.count >= first.count + 2 && tick.last_result === "finished";
  });
  // One of it is under way at a time, and where memory is short nothing starts.
  const slow = await factory.until("its next turn is skipped", async () => {
    const one = await named("slow");
    return one.last_result === "skipped" && one;
  });
  expect(slow).toMatchObject({ count: 1, note: "the previous one is still running" });
  const large = await factory.until("the large one is delayed", async () => {
    const one = await named("large");
    return one.last_result === "delayed" && one;
  });
  expect(large.count).toBe(0);
  expect(large.note).toMatch(/^\d+ MB of memory are free, 1000000 are needed$/);
  writeFileSync(join(factory.root, "user", "go"), "");
  await factory.until("the next one comes", async () => (await named("slow")).count > 1);
  // Always the same amount later than written.
  expect((await named("garden")).next).toMatch(/T(?:06|18):0\d:[0-5]\d/);
  expect((await named("garden")).next).not.toMatch(/:00:00\./);
  expect(await named("off")).toMatchObject({ count: 0, next: null });
  expect((await named("lost")).next).toMatch(/T0[45]:00:00/);
  await factory.ok("schedule", "run", "lost");
  const lost = await factory.until("it failed with the reason", async () => {
    const one = await named("lost");
    return one.last_result === "failed" && one;
  });
  expect(lost.note).toContain('there is no formula "nowhere"');
  const news = join(factory.root, "user", "news");
  await factory.until("a person hears of it", async () => {
    return existsSync(news) && readFileSync(news, "utf8").includes("schedule lost failed");
  });
  expect((await factory.pawl("schedule", "run", "nothing")).stderr).toContain(
    "known: tick, off, lost, garden",
  );
  // A role with nothing to judge: its preflight is empty, and no session starts.
  await factory.ok("schedule", "run", "garden");
  await factory.until("the gardener has been round", async () => {
    return (await named("garden")).last_result === "finished";
  });
  await factory.ok("down");
  // Never twice for one instant: as often as it was counted, and one may be under way.
  const swept = readFileSync(join(factory.root, "swept.txt"), "utf8").trim().split("\n").length;
  const { count } = await named("tick");
  expect([count, count - 1]).toContain(swept);

  // Three days later: what was missed is caught up on once.
  const later = join(factory.root, "later.mjs");
  writeFileSync(later, "const now = Date.now;\nDate.now = () => now() + 3 * 86_400_000;");
  expect(await named("daily")).toMatchObject({ count: 0 });
  factory.env["NODE_OPTIONS"] = `--import=${later}`;
  const before = (await named("daily")).next ?? "";
  await factory.ok("up");
  const caught = await factory.until("it is caught up on", async () => {
    const one = await named("daily");
    return one.last_result === "finished" && one;
  });
  expect(caught.count).toBe(1);
  expect(Date.parse(caught.next ?? "") - Date.parse(before)).toBe(3 * 86_400_000);
  await factory.ok("down");
  const agents = await factory.client.get<{ role: string }[]>("/v1/agents");
  expect(agents.filter(({ role }) => role !== "daemon")).toEqual([]);
});
