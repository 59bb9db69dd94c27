// Before end-to-end tests begin: builds the package into a folder outside the checkout, so that they
// run what is published, in less than two thirds of the processor time of the sources. A tree that
// was built before is not built again.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "../../scripts/build.ts";

const ROOT = join(import.meta.dirname, "../..");
const cache = process.env["PAWL_TEST_CACHE"];
/** Each user has one: the tests of root and of others run on one machine. */
const CACHE =
  cache === undefined ? `/var/tmp/pawl-packed-${process.getuid?.() ?? 0}` : join(cache, "packed");
const BUILT_FROM = [
  "package.json",
  "package-lock.json",
  "{src,formulas}/**/*.*",
  "scripts/{build,third-party}*.ts",
  "scripts/licences/*",
];
const UNUSED_MAX_MS = 24 * 3_600_000;

/** Called by vitest, and by what starts Pawl without it. */
export async function setup(): Promise<void> {
  if (process.env["PAWL_TEST_MAIN"] !== undefined) return;
  const folder = await packedFolder();
  process.env["PAWL_TEST_PACKED"] = folder;
  process.env["PAWL_TEST_MAIN"] = join(folder, "pawl/dist/main.js");
}

async function packedFolder(): Promise<string> {
  const folder = join(CACHE, keyOfTree());
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  mkdirSync(CACHE, { recursive: true });
  removeUnused();
  // Made aside and renamed: a build that was cut short is never taken for a whole one.
  const aside = mkdtempSync(join(CACHE, "aside-"));
  await build(join(aside, "pawl/dist"));
  copyFileSync(join(ROOT, "package.json"), join(aside, "pawl/package.json"));
  try {
    renameSync(aside, folder);
  } catch (error) {
    // Another run was quicker with the same tree.
    if (!existsSync(folder)) throw error;
    rmSync(aside, { recursive: true });
  }
  return folder;
}

function keyOfTree(): string {
  const hash = createHash("sha256");
  for (const path of globSync(BUILT_FROM, { cwd: ROOT }).toSorted()) {
    if (!statSync(join(ROOT, path)).isFile()) continue;
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  // `pawl --version` names the commit; sources without their history have none.
  if (existsSync(join(ROOT, ".git"))) {
    hash.update(execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT }));
  }
  return hash.digest("hex").slice(0, 16);
}

function removeUnused(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    const unusedMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (unusedMs > UNUSED_MAX_MS) rmSync(path, { recursive: true, force: true });
  }
}
