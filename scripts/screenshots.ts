// Pictures of the page: `node scripts/screenshots.ts [FOLDER]`. Without a folder it makes those of the
// README, in docs/pictures; with one, every view at every size, light and dark, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startChromium } from "../test/support/chromium.ts";
import { openPage } from "../test/support/page-open.ts";
import { pageWorld, playStory } from "../test/support/page-world.ts";

type Picture = { name: string; hash: string; width: number; scheme: "light" | "dark" };

const SIZES = [390, 1280, 2560];
/** What is drawn when all is read is drawn a moment later. */
const SETTLE_MS = 700;

const readmePictures = (): Picture[] => [
  { name: "page-home", hash: "#/", width: 1280, scheme: "light" },
  { name: "page-queue", hash: "#/queue", width: 1280, scheme: "dark" },
  { name: "page-phone", hash: "#/", width: 390, scheme: "dark" },
];

const allPictures = (run: string): Picture[] =>
  [
    { name: "home", hash: "#/" },
    { name: "queue", hash: "#/queue" },
    { name: "plots", hash: "#/plots" },
    { name: "factory", hash: "#/factory" },
    { name: "run", hash: run },
  ].flatMap((view) =>
    SIZES.flatMap((width) =>
      (["light", "dark"] as const).map((scheme) => ({
        hash: view.hash,
        name: `${view.name}-${width}-${scheme}`,
        width,
        scheme,
      })),
    ),
  );

const folder = process.argv[2];
const into = folder ?? join(import.meta.dirname, "..", "docs", "pictures");
mkdirSync(into, { recursive: true });
await using factory = await pageWorld();
await playStory(factory);
const working = (await factory.status()).runs.find(
  ({ work_summary, outcome }) => work_summary !== "" && outcome === null,
);
const run = `#/run/${factory.project}/${working?.run ?? ""}`;
const browser = await startChromium();
try {
  const page = await openPage(browser, factory);
  page.on("console", (message) => {
    if (message.type() === "error") process.stderr.write(`${message.text()}\n`);
  });
  for (const { name, hash, width, scheme } of folder === undefined
    ? readmePictures()
    : allPictures(run)) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : Math.round(width * 0.6) });
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.waitForTimeout(SETTLE_MS);
    await page.getByText("Reading…").first().waitFor({ state: "detached" });
    await page.screenshot({ path: join(into, `${name}.png`) });
  }
} finally {
  await browser.close();
}
