// Bundles src/page into a folder: `node scripts/build-page.ts FOLDER`. The build of the package and,
// in a checkout, the daemon call it.
import { copyFileSync, globSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";

const SOURCE = join(import.meta.dirname, "..", "src", "page");
/** Tests run this module in vitest, which has no `import.meta.resolve`. */
const { resolve } = createRequire(import.meta.url);
const PLOTS_STYLE = resolve("uplot/dist/uPlot.min.css");
const XTERM_STYLE = resolve("@xterm/xterm/css/xterm.css");

/** The modules that were bundled. */
export async function buildPage(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  await using build = await rolldown({
    cwd: SOURCE,
    input: { page: "main.tsx" },
    platform: "browser",
  });
  // Chunks have their content in their name: what is loaded lazily fits the page that asks for it.
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    minify: true,
  });
  copyFileSync(PLOTS_STYLE, join(folder, "plots.css"));
  copyFileSync(XTERM_STYLE, join(folder, "xterm.css"));
  for (const name of globSync("*.{html,css,svg,webmanifest}", { cwd: SOURCE })) {
    copyFileSync(join(SOURCE, name), join(folder, name));
  }
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("usage: node scripts/build-page.ts FOLDER");
  await buildPage(folder);
}
