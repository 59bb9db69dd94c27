// A paired page in Chromium, as a person has it open.
import type { Browser, Locator, Page } from "playwright-core";
import { newPage } from "./chromium.ts";
import type { Factory } from "./pawl.ts";

export const SIZES = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

/** `hash`: the view that is opened once the browser is paired. */
export async function openPage(
  browser: Browser,
  factory: Factory,
  { size = "desk", hash }: { size?: Size; hash?: string } = {},
): Promise<Page> {
  const link = (await factory.ok("page", "open", "--no-open")).trim();
  const page = await newPage(browser, SIZES[size]);
  await page.goto(link);
  await page.getByText("live", { exact: true }).waitFor();
  if (hash !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  return page;
}

export const lane = (page: Page, name: string): Locator => page.getByRole("region", { name });

/** A phone is scrolled in one direction only. */
export async function expectNoSideways(page: Page): Promise<void> {
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
  const width = page.viewportSize()?.width ?? 0;
  if (wide > width) throw new Error(`the page is ${wide} pixels wide on a screen of ${width}`);
}
