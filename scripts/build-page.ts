// Bundles src/page into a folder: `node scripts/build-page.ts FOLDER`. The build of the package and,
// in a checkout, the daemon call it.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";

const SOURCE = join(import.meta.dirname, "..", "src", "page");
/** Tests run this module in vitest, which has no `import.meta.resolve`. */
const { resolve } = createRequire(import.meta.url);
/** In this order: ours have the last word. */
const STYLES = [
  resolve("@xterm/xterm/css/xterm.css"),
  resolve("uplot/dist/uPlot.min.css"),
  join(SOURCE, "style.css"),
  join(SOURCE, "run.css"),
];

/** The modules that were bundled. */
export async function buildPage(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  await using build = await rolldown({
    cwd: SOURCE,
    input: { page: "main.tsx" },
    platform: "browser",
  });
  // The names say the content: what is loaded lazily fits the page that asks for it, and a browser that
  // has a file never asks for it again.
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name]-[hash].js",
    minify: true,
  });
  const [{ fileName: script }] = output;
  const style = writeStyle(folder);
  const index = readFileSync(join(SOURCE, "index.html"), "utf8");
  const named = index.replace("/page.js", `/${script}`).replace("/page.css", `/${style}`);
  writeFileSync(join(folder, "index.html"), named);
  for (const name of ["icon.svg", "manifest.webmanifest"]) {
    copyFileSync(join(SOURCE, name), join(folder, name));
  }
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/** Gives its name. */
function writeStyle(folder: string): string {
  const text = STYLES.map((path) => readFileSync(path, "utf8")).join("\n");
  const name = `page-${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.css`;
  writeFileSync(join(folder, name), text);
  return name;
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("usage: node scripts/build-page.ts FOLDER");
  await buildPage(folder);
}
