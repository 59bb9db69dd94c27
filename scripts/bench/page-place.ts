// What the benches of the page share: a factory with sessions, and a paired page whose text is watched.
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { PageLinkView } from "../../src/api/page.ts";
import type { Place } from "./place.ts";

/** A word `name=5` of the command line. */
export const asked = (name: string, otherwise: number): number =>
  Number(process.argv.find((word) => word.startsWith(`${name}=`))?.split("=")[1] ?? otherwise);

export const configFor = (parallel: number, script: string): string => `[project]
name = "bench"
target = "main"
parallel = ${parallel}
[agent]
runtime = "command"
command = ["sh", "-c", ${JSON.stringify(script)}]
[ci]
none = true
`;

export async function startRuns(place: Place, count: number): Promise<void> {
  await place.api("POST", "/v1/projects", { folder: place.repo });
  for (let n = 0; n < count; n += 1) {
    await place.api("POST", "/v1/issues", { title: `bench ${n}`, key: `bench ${n}`, body: "" });
  }
  for (;;) {
    const { runs } = await place.api<{ runs: { alive: boolean }[] }>("GET", "/v1/status?all=true");
    if (runs.filter(({ alive }) => alive).length >= count) return;
    await wait(500);
  }
}

export async function openPaired(place: Place, page: Page): Promise<void> {
  const { url } = await place.api<PageLinkView>("POST", "/v1/page/links", { scope: "terminal" });
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
}

/** When the page has drawn this text, in milliseconds since 1970. */
export const textShown = (page: Page, text: string, within = "main"): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const drawn = () => requestAnimationFrame(() =>
      requestAnimationFrame((at) => resolve(performance.timeOrigin + at)));
    const isThere = () => document.querySelector(${JSON.stringify(within)})?.textContent.replaceAll("\\u00a0", " ").includes(${JSON.stringify(text)});
    if (isThere()) return drawn();
    const watch = new MutationObserver(() => {
      if (!isThere()) return;
      watch.disconnect();
      drawn();
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  })`);
