// Pictures of the page: `node scripts/screenshots.ts [FOLDER]`. Without a folder it makes those of the
// README, in docs/pictures; with one, every view in every state, at every size, light and dark, whole, to
// be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { newPage, startChromium } from "../test/support/chromium.ts";
import { openPage } from "../test/support/page-open.ts";
import { busyQueue, fillFactory, pageWorld, playStory } from "../test/support/page-world.ts";
import { makeFactory, type Factory } from "../test/support/pawl.ts";

type Picture = { name: string; hash: string; width: number; scheme: "light" | "dark" };

const SIZES = [390, 1280, 2560];
const SCHEMES = ["light", "dark"] as const;
/** What is drawn when all is read is drawn a moment later. */
const SETTLE_MS = 700;

const README: Picture[] = [
  { name: "page-home", hash: "#/", width: 1280, scheme: "light" },
  { name: "page-queue", hash: "#/queue", width: 1280, scheme: "dark" },
  { name: "page-phone", hash: "#/", width: 390, scheme: "dark" },
];

const ofEachSize = (name: string, hash: string): Picture[] =>
  SIZES.flatMap((width) =>
    SCHEMES.map((scheme) => ({ name: `${name}-${width}-${scheme}`, hash, width, scheme })),
  );

const folder = process.argv[2];
const into = folder ?? join(import.meta.dirname, "..", "docs", "pictures");
mkdirSync(into, { recursive: true });

/** `act`: what a person does first. */
async function take(page: Page, pictures: Picture[], act?: () => Promise<void>): Promise<void> {
  for (const { name, hash, width, scheme } of pictures) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : Math.round(width * 0.6) });
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await act?.();
    await page.waitForTimeout(SETTLE_MS);
    await page.getByText("Reading…").first().waitFor({ state: "detached" });
    await page.screenshot({ path: join(into, `${name}.png`), fullPage: folder !== undefined });
  }
}

async function allStates(browser: Browser, page: Page, factory: Factory): Promise<void> {
  await fillFactory(factory);
  const { runs } = await factory.status();
  const at = (start: string): string =>
    `#/run/${factory.project}/${runs.find(({ title }) => title.startsWith(start))?.run ?? ""}`;
  const views = { home: "#/", queue: "#/queue", plots: "#/plots", factory: "#/factory" };
  for (const [name, hash] of Object.entries(views)) await take(page, ofEachSize(name, hash));
  await take(page, ofEachSize("run", at("Sort the output")));
  const openAll = (): Promise<void> =>
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  await take(page, ofEachSize("run-over", at("Add a changelog")), openAll);
  await take(page, ofEachSize("run-asks", at("Choose a colour")));
  await take(page, ofEachSize("palette", "#/"), async () => {
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    await page.keyboard.press("Control+k");
  });
  const stranger = await newPage(browser);
  await stranger.goto(await page.evaluate<string>("location.origin"));
  await take(stranger, ofEachSize("unpaired", "#/"));
  await page.reload();
  await page.getByText("live", { exact: true }).waitFor();
  await factory.ok("down");
  await take(page, ofEachSize("gone", "#/"));
}

const browser = await startChromium();
try {
  await using factory = await pageWorld(undefined, "weather");
  await playStory(factory);
  const page = await openPage(browser, factory);
  page.on("console", (message) => {
    if (message.type() === "error") process.stderr.write(`${message.text()}\n`);
  });
  if (folder === undefined) await take(page, README);
  else {
    await allStates(browser, page, factory);
    await using empty = await makeFactory({
      config: '[agent]\nruntime = "script"\n[ci]\nnone = true\n',
    });
    await empty.ok("init", "--yes");
    await empty.ok("up");
    const nothing = await openPage(browser, empty);
    for (const [name, hash] of [
      ["home", "#/"],
      ["queue", "#/queue"],
      ["plots", "#/plots"],
      ["factory", "#/factory"],
    ] as const)
      await take(nothing, ofEachSize(`empty-${name}`, hash));
    await using queue = await busyQueue();
    await take(await openPage(browser, queue), ofEachSize("queue-busy", "#/queue"));
  }
} finally {
  await browser.close();
}
