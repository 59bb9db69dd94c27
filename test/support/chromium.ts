// Debian's Chromium, driven by playwright-core. Where it is missing, tests of the page in a browser
// say so aloud and are skipped.
import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PATHS.find((path) => existsSync(path));

export const noChromium = executablePath === undefined;
if (noChromium) console.log("SKIPPED: there is no Chromium here (apt-get install chromium)");

export function startChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`no Chromium in ${PATHS.join(", ")}`);
  // Its own sandbox needs user namespaces, which root has not; it opens only our own page.
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath, args });
}

/** A guard, not a claim: a loaded machine is slow. */
const WAIT_MAX_MS = 150_000;

/** A browser of its own: no cookie and no storage of another page. */
export async function newPage(
  browser: Browser,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(WAIT_MAX_MS);
  return context.newPage();
}
