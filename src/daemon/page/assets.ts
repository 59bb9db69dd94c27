// The page's own files. The package has them in dist/page; a checkout builds them from src/page.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OperationError } from "../../lib/operation-error.ts";

export type Asset = {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  tag: string;
  /** Its name says its content, which never changes. */
  isFixed: boolean;
};

const FIXED = /-[\w-]{8}\.(?:js|css)$/;

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
const BUILD_MAX_MS = 120_000;
const OLD_MS = 24 * 3_600_000;

/** In the bundle this module lies in dist/ itself. */
const PACKAGED = fileURLToPath(new URL("./page", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = join(ROOT, "src", "page");
const BUILD = join(ROOT, "scripts", "build-page.ts");

/** By their path, `/` being the page itself. */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const folder = existsSync(join(PACKAGED, "index.html")) ? PACKAGED : await built();
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bytes = new Uint8Array(await readFile(join(folder, name)));
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    assets.set(name === "index.html" ? "/" : `/${name}`, {
      bytes,
      type,
      tag,
      isFixed: FIXED.test(name),
    });
  }
  return assets;
}

/** One folder per state of the sources, so that daemons that build at the same time do no harm. */
async function built(): Promise<string> {
  const folder = join(ROOT, ".tools", `page-${await sourcesHash()}`);
  if (existsSync(folder)) return folder;
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [BUILD, unfinished], { timeout: BUILD_MAX_MS });
    await rename(unfinished, folder);
    await removeOld(folder);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    // Another daemon was first.
    if (existsSync(folder)) return folder;
    throw new OperationError(`cannot build the page from ${SOURCES}`, {
      code: "page-not-built",
      cause,
      hint: `see why: node ${BUILD} ${folder}`,
    });
  }
  return folder;
}

async function sourcesHash(): Promise<string> {
  const hash = createHash("sha256");
  const found = await readdir(SOURCES, { recursive: true, withFileTypes: true });
  const sources = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const path of [...sources, BUILD, join(ROOT, "package-lock.json")]) {
    hash.update(path).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Builds of other states of the sources, and those that were cut short. */
async function removeOld(current: string): Promise<void> {
  const tools = dirname(current);
  const names = (await readdir(tools)).filter((name) => name.startsWith("page-"));
  for (const path of names.map((name) => join(tools, name))) {
    const { mtimeMs } = await stat(path);
    if (path !== current && Date.now() - mtimeMs > OLD_MS) await rm(path, { recursive: true });
  }
}
