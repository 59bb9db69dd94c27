// Pictures of the page: `node scripts/screenshots.ts [FOLDER]`. Without a folder it makes those of the
// README, in docs/pictures; with one, every view at every size, light and dark, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../test/support/chromium.ts";
import { pageWorld, playStory } from "../test/support/page-world.ts";
import type { Factory } from "../test/support/pawl.ts";

type Picture = { name: string; hash: string; width: number; scheme: "light" | "dark" };

const VIEWS = [
  { name: "home", hash: "#/" },
  { name: "queue", hash: "#/queue" },
  { name: "plots", hash: "#/plots" },
];
const SIZES = [390, 1280, 2560];
const README_PICTURES: Picture[] = [
  { name: "home", hash: "#/", width: 1280, scheme: "light" },
  { name: "queue", hash: "#/queue", width: 1280, scheme: "dark" },
];
const ALL_PICTURES: Picture[] = VIEWS.flatMap((view) =>
  SIZES.flatMap((width) =>
    (["light", "dark"] as const).map((scheme) => ({ ...view, width, scheme })),
  ),
);

async function paired(browser: Browser, factory: Factory, picture: Picture): Promise<Page> {
  const height = picture.width < 600 ? 844 : Math.round(picture.width * 0.6);
  const context = await browser.newContext({
    viewport: { width: picture.width, height },
    colorScheme: picture.scheme,
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`${picture.name}: ${message.text()}`);
  });
  await page.goto((await factory.ok("page", "open", "--no-open")).trim());
  await page.getByText("live", { exact: true }).waitFor();
  return page;
}

const folder = process.argv[2];
const pictures = folder === undefined ? README_PICTURES : ALL_PICTURES;
const into = folder ?? join(import.meta.dirname, "..", "docs", "pictures");
mkdirSync(into, { recursive: true });
await using factory = await pageWorld();
await playStory(factory);
const browser = await startChromium();
try {
  for (const picture of pictures) {
    const page = await paired(browser, factory, picture);
    await page.evaluate(`location.hash = ${JSON.stringify(picture.hash)}`);
    await page.waitForLoadState("networkidle").catch(() => undefined);
    await page.waitForTimeout(300);
    const name =
      folder === undefined ? picture.name : `${picture.name}-${picture.width}-${picture.scheme}`;
    await page.screenshot({ path: join(into, `${name}.png`) });
    await page.context().close();
  }
} finally {
  await browser.close();
}
