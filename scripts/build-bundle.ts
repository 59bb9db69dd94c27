// `node scripts/build-bundle.ts FOLDER`: the bundle of the checkout that ./pawl runs for what people
// ask most, without the page. Made aside and renamed: one that was cut short is never run.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { bundle, HOSTS } from "./build.ts";

/** A command that was started before a change of the sources may still read from its own one. */
const KEPT_MS = 24 * 3_600_000;

async function buildBundle(folder: string): Promise<void> {
  const bundles = dirname(folder);
  mkdirSync(bundles, { recursive: true });
  removeOld(bundles);
  const aside = mkdtempSync(join(bundles, "aside-"));
  await bundle(aside, { main: "src/cli/main.ts", ...HOSTS });
  writeFileSync(join(aside, "package.json"), '{ "type": "module" }\n');
  try {
    renameSync(aside, folder);
  } catch {
    // Another launcher was quicker with the same sources.
    rmSync(aside, { recursive: true });
  }
}

function removeOld(bundles: string): void {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    // Another launcher may have removed it meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/build-bundle.ts FOLDER");
await buildBundle(folder);
