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
import { writeNotices } from "./third-party.ts";

const ROOT = join(import.meta.dirname, "..");

const PROGRAMS = {
  main: "src/cli/cached-main.ts",
  "story-automator": "src/cli/cached-story-automator.ts",
};

/** Programs beside the daemon or in the panes of agents, found beside the code that starts them. */
export const HOSTS = {
  "acp-host": "src/adapters/shared/acp/acp-host.ts",
  "gateway-main": "src/adapters/session-gateway/gateway-main.ts",
  "inside-main": "src/adapters/session-gateway/inside-main.ts",
  "starter-main": "src/adapters/shared/starter-main.ts",
  "codex-host": "src/adapters/agent-codex/codex-host.ts",
  "opencode-host": "src/adapters/agent-opencode/opencode-host.ts",
};

type Bundled = { assets: number; moduleIds: string[] };

/**
 * What every command, the ones that look, and answers without a daemon need: one file each, with all
 * that it imports. Each file costs a third of a millisecond at a start, and there were sixty. Not
 * main.ts itself: it waits at its top level, and the others could never import from its file.
 */
const TOGETHER = [
  { name: "cli", test: /src\/cli\/(?:run-main|registry)\.ts$/, priority: 3 },
  {
    name: "look",
    test: /src\/cli\/commands\/(?:agents|costs|history|status|why)\.ts$/,
    priority: 2,
  },
  {
    name: "read",
    test: /src\/cli\/in-process\.ts$|src\/daemon\/offline\/reading-/,
    priority: 1,
  },
];

/**
 * Commander imports it for subcommands that are programs of their own. Pawl has none, and loading it
 * is a tenth of a start.
 */
const NO_PROGRAMS = {
  name: "no-programs",
  resolveId: (source: string, importer: string | undefined) =>
    source === "node:child_process" && importer?.includes("/node_modules/commander/") === true
      ? "\0no-programs"
      : undefined,
  load: (id: string) => (id === "\0no-programs" ? "export default {};" : undefined),
};

/** The programs, by name, and the assets beside them. */
export async function bundle(dist: string, programs: Record<string, string>): Promise<Bundled> {
  await using build = await rolldown({
    cwd: ROOT,
    input: programs,
    platform: "node",
    plugins: [NO_PROGRAMS],
  });
  const { output } = await build.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    // Chunks must not lie in a folder of their own: see the assets above.
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { includeDependenciesRecursively: true, groups: TOGETHER },
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
  });
  for (const name of Object.keys(programs)) chmodSync(join(dist, `${name}.js`), 0o755);
  const moduleIds = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  return { assets: copyAssets(dist) + copyFormulas(dist), moduleIds };
}

function copyAssets(dist: string): number {
  const sources = new Map<string, string>();
  for (const path of globSync("src/**/*.{bpf,sh,sql,toml}", { cwd: ROOT }).sort()) {
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
  const { assets, moduleIds } = await bundle(dist, { ...PROGRAMS, ...HOSTS });
  moduleIds.push(...(await buildPage(join(dist, "page"))));
  const others = writeNotices(dist, moduleIds);
  writeBuildName(dist);
  const parts = `the page, ${assets} assets and the notices of ${others} packages`;
  return `built ${Object.keys(PROGRAMS).join(", ")}, ${parts}`;
}

if (import.meta.main) console.log(await build(resolve(process.argv[2] ?? join(ROOT, "dist"))));
