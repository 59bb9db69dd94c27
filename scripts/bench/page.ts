// The page in Chromium: how much it loads, how soon it shows something, how soon a change is drawn, and
// what it costs while it is open. Figures of a browser on a busy machine say little.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { newPage, noChromium, startChromium } from "../../test/support/chromium.ts";
import { buildPage } from "../build-page.ts";
import { benchBusyPage } from "./page-busy.ts";
import { fillForPage } from "./page-fill.ts";
import { configFor, openPaired, startRuns, textShown } from "./page-place.ts";
import { makePlace, ms, print, quantiles, type Place } from "./place.ts";

const OPENINGS = 9;
const COMMENTS = 20;
const ATTACHES = 9;
const BABBLE_MS = 10_000;
/** What a browser loads before it shows the home view. */
const SHELL = /^(?:index\.html|page-.*\.(?:css|js))$/;

/** Reads a letter as soon as it is there, and says so by moving it; else it says a word now and then. */
const READER = `sed -i s/red/blue/ paint.txt
echo ready
while :; do
  for f in "$PAWL_INBOX"/new/*.md; do [ -e "$f" ] && mv "$f" "$PAWL_INBOX/cur/"; done
  sleep 0.05
done`;

/** As much as tmux takes; its pipe holds the agent up. */
const BABBLER = `echo ready
head -c 750000 /dev/urandom | base64 > ../babble
while :; do cat ../babble; done`;

export async function benchPage(): Promise<void> {
  if (noChromium) return;
  await shell();
  await inChromium(paint);
}

export async function benchPageRun(): Promise<void> {
  await inChromium(async (browser) => {
    await withRun(browser, READER, async (page) => {
      await attaches(page);
      await comments(page);
    });
    await withRun(browser, BABBLER, babble);
  });
}

export const benchPageBusy = (): Promise<void> => inChromium(benchBusyPage);

async function inChromium(measure: (browser: Browser) => Promise<void>): Promise<void> {
  if (noChromium) return;
  const browser = await startChromium();
  try {
    await measure(browser);
  } finally {
    await browser.close();
  }
}

async function shell(): Promise<void> {
  const folder = mkdtempSync("/tmp/pawl-bench-page-");
  await buildPage(folder);
  const names = readdirSync(folder).filter((name) => SHELL.test(name));
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const kb = bytes.reduce((sum, one) => sum + one, 0) / 1000;
  print("shell of the page, without terminal and plots", `${kb.toFixed(1)} kB gzip`, "<= 60 kB");
  rmSync(folder, { recursive: true });
}

/** From the beginning of a load until the cards are drawn, in a browser that was here before. */
async function paint(browser: Browser): Promise<void> {
  const script = `printf 'PHASE:escalate\\n' > "$PAWL_PHASE_FILE"; sleep 36000`;
  const place = makePlace({ "pawl.toml": configFor(1, script), "test.sh": "true\n" });
  try {
    const size = { living: 200, landed: 10_000 };
    await fillForPage(place, size);
    await place.daemon();
    const page = await newPage(browser);
    await openPaired(place, page);
    // Those on the screen are drawn first.
    await page.locator(".lane .card").nth(size.living).waitFor();
    const cards = await page.locator(".lane .card").count();
    await page.addInitScript(`addEventListener("DOMContentLoaded", () => {
      const watch = new MutationObserver(() => {
        if (document.querySelector(".lane .card") === null) return;
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame((at) => (window.paintedAt = at)));
      });
      watch.observe(document.body, { subtree: true, childList: true });
    })`);
    const times: number[] = [];
    for (let n = 0; n < OPENINGS; n += 1) {
      await page.reload();
      times.push(
        await page.evaluate<number>(`new Promise((resolve) => {
          const look = () => window.paintedAt ? resolve(window.paintedAt) : requestAnimationFrame(look);
          look();
        })`),
      );
    }
    const { p50, max } = quantiles(times);
    const what = `first cards painted, of ${cards} with ${size.landed} landed`;
    print(what, `p50 ${ms(p50)}, max ${ms(max)}`, "< 300 ms");
    await page.context().close();
  } finally {
    await place.close();
  }
}

async function withRun(
  browser: Browser,
  agent: string,
  measure: (page: Page, place: Place) => Promise<void>,
): Promise<void> {
  const files = { "test.sh": "true\n", "paint.txt": "first\nthe wall is red today\nlast\n" };
  const place = makePlace({ "pawl.toml": configFor(1, agent), ...files });
  try {
    await place.daemon();
    await startRuns(place, 1);
    const page = await newPage(browser);
    await openPaired(place, page);
    await measure(page, place);
    await page.context().close();
  } finally {
    await place.close();
  }
}

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

/** From the click that opens the run until its terminal has drawn what the agent shows. */
async function attaches(page: Page): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n <= ATTACHES; n += 1) {
    await goTo(page, "#/");
    await page.locator(".lanes").waitFor();
    const shown = textShown(page, "ready", ".screen .xterm-rows");
    const start = performance.timeOrigin + performance.now();
    await goTo(page, "#/run/bench/1.1");
    times.push((await shown) - start);
  }
  const [first = NaN, ...later] = times;
  const { p50, max } = quantiles(later);
  print(
    "terminal: opened until it is drawn",
    `p50 ${ms(p50)}, max ${ms(max)}; first ${ms(first)}`,
    "< 100 ms",
  );
}

async function comments(page: Page): Promise<void> {
  const times: number[] = [];
  const changes = page.getByRole("region", { name: "Changes" });
  for (let n = 1; n <= COMMENTS; n += 1) {
    await changes.getByRole("button", { name: "Comment on line 2 of paint.txt" }).last().click();
    await changes.getByRole("textbox").fill(`comment ${n}`);
    const read = page.evaluate<number>(`new Promise((resolve) => {
      const timer = setInterval(() => {
        const notes = [...document.querySelectorAll("[role=note]")];
        if (notes.length < ${n} || !notes.every((one) => one.textContent.includes("read by the agent"))) return;
        clearInterval(timer);
        resolve(performance.timeOrigin + performance.now());
      }, 5);
    })`);
    const start = performance.timeOrigin + performance.now();
    await changes.getByRole("button", { name: "Send to the agent" }).click();
    times.push((await read) - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
  print(
    "comment sent → shown as read",
    `p50 ${ms(quantiles(times).p50)}, p95 ${ms(p95)}`,
    "p95 < 1 s",
  );
}

async function babble(page: Page, place: Place): Promise<void> {
  await goTo(page, "#/run/bench/1.1");
  await page.locator(".screen .xterm-rows").waitFor();
  await wait(1000);
  const log = join(place.home, "projects", "bench", "runs", "1.1", "pane.log");
  const before = statSync(log).size;
  const longest = await page.evaluate<number>(`new Promise((resolve) => {
    let [last, longest] = [performance.now(), 0];
    const begin = last;
    const frame = (at) => {
      longest = Math.max(longest, at - last);
      last = at;
      if (at - begin > ${BABBLE_MS}) resolve(longest);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const rate = (statSync(log).size - before) / 1e6 / (BABBLE_MS / 1000);
  print(`longest frame while a terminal shows ${rate.toFixed(1)} MB/s`, ms(longest), "< 200 ms");
}
