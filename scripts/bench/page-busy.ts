// Fifty agents that report what they do, for page.ts: what the page costs the daemon and the browser
// meanwhile. An agent that is at work uses a tool every ten seconds. `minutes=5` is how long the events of
// an hour are spread over.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { newPage } from "../../test/support/chromium.ts";
import { asked, configFor, openPaired, startRuns, textShown } from "./page-place.ts";
import { makePlace, ms, print, privateMb, quantiles, threadsMs, type Place } from "./place.ts";

const RUNS = asked("sessions", 50);
const TOOL_EVERY_S = 10;
const HOUR_EVENTS = (RUNS * 3600) / TOOL_EVERY_S;
const SPREAD_MS = asked("minutes", 5) * 60_000;
/** Between two tools of one agent. */
const HOUR_EVERY_S = (SPREAD_MS / 1000) * (RUNS / HOUR_EVENTS);
const WATCHED_MS = asked("watched", 60) * 1000;
const ROUNDS = 4;
const PIXELS = 40;
/** Opening the page is measured by its paint; here it counts what an open one costs. */
const OPENED_MS = 5000;
const TABS = 10;
const LOOKS = 10;

/** `rate`: a file with the seconds between two tools. */
const busyAgent = (rate: string): string => `n=0
while :; do
  n=$((n + 1))
  printf '{"v":1,"kind":"tool","tool":"Edit","summary":"edits file %s","file":"src/a.ts"}\\n' $n > "$PAWL_SPOOL/tmp/$n"
  mv "$PAWL_SPOOL/tmp/$n" "$PAWL_SPOOL/new/$n.json"
  sleep "$(cat ${rate})"
done`;

export async function benchBusyPage(browser: Browser): Promise<void> {
  const control = mkdtempSync("/tmp/pawl-bench-rate-");
  const rate = join(control, "rate");
  const every = (seconds: number): void => writeFileSync(rate, `${seconds}\n`);
  every(TOOL_EVERY_S);
  const place = makePlace({ "pawl.toml": configFor(RUNS, busyAgent(rate)), "test.sh": "true\n" });
  try {
    const { pid = 0 } = await place.daemon();
    await startRuns(place, RUNS);
    // Checkpoints of workspaces that are new come more often.
    await wait(WATCHED_MS);
    const { context, page } = await openTab(browser, place);
    await pixels(place, page);
    await compared(pid, page);
    await tabs(context, { pid, page });
    every(HOUR_EVERY_S);
    await hour(page);
    await context.close();
  } finally {
    await place.close();
    rmSync(control, { recursive: true });
  }
}

async function openTab(
  browser: Browser,
  place: Place,
): Promise<{ context: BrowserContext; page: Page }> {
  const page = await newPage(browser);
  await openPaired(place, page);
  return { context: page.context(), page };
}

const share = (cpuMsPerS: number): string => `${(cpuMsPerS / 10).toFixed(2)} %`;

type Cost = { cpuMsPerS: number; mb: number };

/** What a daemon uses for a while. */
async function costOf(pid: number): Promise<Cost> {
  const [cpu, start] = [threadsMs(pid), performance.now()];
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    await wait(WATCHED_MS / ROUNDS / LOOKS);
    looks.push(privateMb(pid));
  }
  const cpuMsPerS = ((threadsMs(pid) - cpu) / (performance.now() - start)) * 1000;
  // What is not collected yet comes and goes.
  return { cpuMsPerS, mb: mean(looks) };
}

const meanCost = (costs: Cost[]): Cost => ({
  cpuMsPerS: mean(costs.map(({ cpuMsPerS }) => cpuMsPerS)),
  mb: mean(costs.map(({ mb }) => mb)),
});

/** In turns, because what the daemon does beside the page varies. */
async function compared(pid: number, page: Page): Promise<void> {
  const origin = await page.evaluate<string>("location.origin");
  const costs: Record<"with" | "without", Cost[]> = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto("about:blank");
    costs.without.push(await costOf(pid));
    await page.goto(origin);
    await page.getByText("live", { exact: true }).waitFor();
    await wait(OPENED_MS);
    costs.with.push(await costOf(pid));
  }
  const [open, shut] = [meanCost(costs.with), meanCost(costs.without)];
  const cpu = `${share(open.cpuMsPerS - shut.cpuMsPerS)} (without: ${share(shut.cpuMsPerS)})`;
  print(`${RUNS} busy runs: CPU of the daemon for the page`, cpu, "< 1 %");
  const mb = `${(open.mb - shut.mb).toFixed(1)} MB (without: ${shut.mb.toFixed(1)} MB)`;
  print(`${RUNS} busy runs: memory of the daemon for the page`, mb, "< 15 MB");
}

const mean = (values: number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

/** An agent's record is in its folder, until the words in it are on the screen. */
async function pixels(place: Place, page: Page): Promise<void> {
  const times: number[] = [];
  for (let n = 1; n <= PIXELS; n += 1) {
    const words = `pixel number ${n} of the bench`;
    const spool = join(
      place.home,
      "projects",
      "bench",
      "runs",
      `${(n % RUNS) + 1}.1`,
      "1",
      "spool",
    );
    const record = { v: 1, kind: "tool", tool: "Edit", summary: words, file: "src/a.ts" };
    writeFileSync(join(spool, "tmp", `pixel-${n}`), JSON.stringify(record));
    const shown = textShown(page, words);
    const start = performance.timeOrigin + performance.now();
    renameSync(join(spool, "tmp", `pixel-${n}`), join(spool, "new", `pixel-${n}.json`));
    times.push((await shown) - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
  print(
    `event → pixel, ${RUNS} busy runs`,
    `p50 ${ms(quantiles(times).p50)}, p95 ${ms(p95)}`,
    "p95 < 150 ms",
  );
}

/** In turns, too. */
async function tabs(
  context: BrowserContext,
  { pid, page }: { pid: number; page: Page },
): Promise<void> {
  const origin = await page.evaluate<string>("location.origin");
  const shares: Record<"two" | "ten", number[]> = { two: [], ten: [] };
  const withTabs = async (count: number): Promise<number> => {
    for (const other of context.pages().slice(count)) await other.close();
    while (context.pages().length < count) await (await context.newPage()).goto(origin);
    await wait(OPENED_MS);
    return (await costOf(pid)).cpuMsPerS;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    shares.two.push(await withTabs(2));
    shares.ten.push(await withTabs(TABS));
  }
  const [two, ten] = [mean(shares.two), mean(shares.ten)];
  const figure = `${share(ten - two)} (all of it, with two: ${share(two)})`;
  print(`CPU of the daemon for ${TABS} tabs, more than for two`, figure, "no more");
  await withTabs(1);
  await page.bringToFront();
}

async function hour(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // What is compiled and drawn for the first time is no growth.
  await wait(SPREAD_MS / 10);
  const before = await heapMb(session);
  await wait(SPREAD_MS);
  const grown = (await heapMb(session)) - before;
  print(
    `heap of the page after ${HOUR_EVENTS} events`,
    `${grown.toFixed(1)} MB more than ${before.toFixed(1)} MB`,
    "< 5 MB",
  );
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}
