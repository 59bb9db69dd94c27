// `npm run build [-- FOLDER]`: bundles the CLI and its dependencies (loading zod from one file
// instead of a hundred saves 40 ms a start) into dist/ or FOLDER, one chunk per lazily imported
// command, and copies the assets that the sources find by
// `new URL("./name.sh", import.meta.url)`. In the bundle every module lies in
// dist/ itself, so the assets do too, and their names must be unique.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { buildPage } from "./build-page.ts";

const ROOT = join(import.meta.dirname, "..");

const PROGRAMS = ["main.js", "story-automator.js"];

async function bundle(dist: string): Promise<void> {
  await using build = await rolldown({
    cwd: ROOT,
    input: {
      main: "src/cli/cached-main.ts",
      "story-automator": "src/cli/cached-story-automator.ts",
    },
    platform: "node",
  });
  await build.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    // Chunks must not lie in a folder of their own: see the assets above.
    chunkFileNames: "[name]-[hash].js",
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
  });
  for (const program of PROGRAMS) chmodSync(join(dist, program), 0o755);
}

function copyAssets(dist: string): number {
  const sources = new Map<string, string>();
  for (const path of globSync("src/**/*.{sh,sql,toml}", { cwd: ROOT }).sort()) {
    const name = basename(path);
    const other = sources.get(name);
    if (other) throw new Error(`cannot build: ${other} and ${path} would both be dist/${name}`);
    sources.set(name, path);
    copyFileSync(join(ROOT, path), join(dist, name));
  }
  return sources.size;
}

/** Formulas keep a folder of their own: the sources list it. */
function copyFormulas(dist: string): number {
  const names = globSync(["*.toml", "guides/*.md"], { cwd: join(ROOT, "formulas") });
  mkdirSync(join(dist, "formulas/guides"), { recursive: true });
  for (const name of names) {
    copyFileSync(join(ROOT, "formulas", name), join(dist, "formulas", name));
  }
  return names.length;
}

/** For `pawl --version`; sources without their history have no commit. */
function writeBuildName(dist: string): void {
  if (!existsSync(join(ROOT, ".git"))) return;
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], options).trim();
  const changes = execFileSync("git", ["status", "--porcelain", "-uno"], options).trim();
  writeFileSync(join(dist, "build.txt"), `commit ${commit}${changes === "" ? "" : ", changed"}\n`);
}

export async function build(dist: string): Promise<string> {
  rmSync(dist, { recursive: true, force: true });
  await bundle(dist);
  await buildPage(join(dist, "page"));
  const assets = copyAssets(dist);
  const formulas = copyFormulas(dist);
  writeBuildName(dist);
  return `built ${PROGRAMS.join(" and ")}, the page, ${assets} assets and ${formulas} formulas`;
}

if (import.meta.main) console.log(await build(resolve(process.argv[2] ?? join(ROOT, "dist"))));
