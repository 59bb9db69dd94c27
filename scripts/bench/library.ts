// Real features of a library as branches: each release changes its sources against the one before, and
// the hunks of that which fit onto the oldest one become a branch there, as if all had been written at once.
// Sources come from the registries into the cache outside the checkout.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { MergeWorld } from "./merge-world.ts";

export type Library = {
  name: string;
  /** The oldest first. */
  versions: string;
  /** The name of a file that counts; what else a release holds (versions, notes) is no feature. */
  sources: RegExp;
  gate: string;
  fetch: (version: string, into: string) => Promise<void>;
};

const CACHE = join(process.env["PAWL_TEST_CACHE"] ?? "/var/tmp/pawl-test-cache", "libraries");

function sh(argv: [string, ...string[]], cwd: string, expect: number[] = [0]): string {
  const [program, ...args] = argv;
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const done = spawnSync(program, args, { cwd, env, encoding: "utf8", maxBuffer: 1e8 });
  if (done.status !== null && expect.includes(done.status)) return done.stdout.trim();
  throw new Error(`${argv.join(" ")}: ${done.stderr}`);
}

async function unpack(url: string, into: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const file = join(into, "..", "archive.tgz");
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  sh(["tar", "-xzf", file, "--strip-components=1", "-C", into], into);
}

const fromNpm =
  (name: string): Library["fetch"] =>
  (version, into) =>
    unpack(`https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`, into);

const fromPyPi =
  (name: string): Library["fetch"] =>
  async (version, into) => {
    const index = await (await fetch(`https://pypi.org/simple/${name}/`)).text();
    const links = [...index.matchAll(/href="(?<url>[^"#]+)/g)].map(({ groups }) => groups?.["url"]);
    const source = links.find((url) => url?.toLowerCase().endsWith(`/${name}-${version}.tar.gz`));
    if (source === undefined) throw new Error(`PyPI has no sources of ${name} ${version}`);
    await unpack(source, into);
  };

const fromGo =
  (module: string): Library["fetch"] =>
  async (version, into) => {
    const said = sh(["go", "mod", "download", "-json", `${module}@${version}`], into);
    const { Dir } = JSON.parse(said) as { Dir: string };
    cpSync(Dir, into, { recursive: true });
    sh(["chmod", "-R", "u+w", into], into);
  };

const PYTHON_GATE = "python3 -m compileall -q .";

export const LIBRARIES: Library[] = [
  {
    name: "click (Python)",
    versions: "6.0 6.1 6.2 6.3 6.4 6.5 6.6 6.7 7.0 7.1 8.0.1 8.1.0 8.1.7",
    sources: /\.py$/,
    gate: PYTHON_GATE,
    fetch: fromPyPi("click"),
  },
  {
    name: "commander (JavaScript)",
    versions: "2.0.0 2.1.0 2.2.0 2.3.0 2.4.0 2.5.0 2.6.0 2.7.0 2.8.0 2.9.0 2.10.0 2.11.0 2.12.0",
    sources: /\.js$/,
    gate: "for file in *.js; do node --check $file || exit 1; done",
    fetch: fromNpm("commander"),
  },
  {
    name: "cobra (Go)",
    versions:
      "v0.0.1 v0.0.2 v0.0.3 v0.0.4 v0.0.5 v0.0.6 v0.0.7 v1.0.0 v1.1.0 v1.1.3 v1.2.0 v1.3.0 v1.4.0",
    sources: /\.go$/,
    gate: 'test -z "$(gofmt -e *.go 2>&1 >/dev/null)"',
    fetch: fromGo("github.com/spf13/cobra"),
  },
];

/** The sources of one release, fetched once. */
async function releaseOf(library: Library, version: string): Promise<string> {
  const folder = join(CACHE, library.name.split(" ")[0] ?? "", version);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(join(CACHE, "fetch."));
  mkdirSync(join(aside, "new"));
  try {
    await library.fetch(version, join(aside, "new"));
    renameSync(join(aside, "new"), folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

/** A repository at the oldest release, with a branch for each later one. */
export async function makeLibraryWorld(
  library: Library,
  resolve: string[] | undefined,
): Promise<MergeWorld> {
  const folder = mkdtempSync("/tmp/pawl-bench-library-");
  const repo = join(folder, "repo");
  mkdirSync(repo);
  const git = (...args: string[]): string => sh(["git", ...args], repo);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "bench");
  git("config", "user.email", "bench@pawl.invalid");
  const releases: string[] = [];
  const versions = library.versions.split(" ");
  for (const version of versions) {
    takeSources(await releaseOf(library, version), repo, library.sources);
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", `${library.name} ${version}`);
    releases.push(git("rev-parse", "HEAD"));
  }
  git("reset", "-q", "--hard", releases[0] ?? "");
  writeFileSync(join(repo, "pawl.toml"), configOf(library, resolve));
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  const names = releases.slice(1).flatMap((release, index) => {
    const name = `feature-${versions[index + 1]}`;
    return branchFrom(repo, { name, release, gate: library.gate }) ? [name] : [];
  });
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: folder };
  return {
    folder,
    repo,
    env: { ...env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    names,
    git: (cwd, args) => (sh(["git", ...args], cwd), 0),
    runs: () => ({ gateRuns: 0, gateMs: 0 }),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Replaces what the repository holds by the sources of a release. */
function takeSources(release: string, repo: string, sources: RegExp): void {
  for (const name of readdirSync(repo)) {
    if (name !== ".git") rmSync(join(repo, name), { recursive: true });
  }
  for (const path of readdirSync(release, { recursive: true, encoding: "utf8" })) {
    if (!sources.test(path)) continue;
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    cpSync(join(release, path), join(repo, path));
  }
}

/** The hunks of a release that fit onto the oldest; false where none do, or the gate is red with them. */
function branchFrom(
  repo: string,
  { name, release, gate }: { name: string; release: string; gate: string },
): boolean {
  const git = (...args: string[]): string => sh(["git", ...args], repo);
  const patch = spawnSync("git", ["diff", `${release}^`, release], { cwd: repo, maxBuffer: 1e8 });
  spawnSync("git", ["apply", "--reject", "-C1", "--whitespace=nowarn"], {
    cwd: repo,
    input: patch.stdout,
  });
  for (const path of readdirSync(repo, { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".rej")) rmSync(join(repo, path));
  }
  git("add", "-A");
  const isChanged = git("status", "--porcelain") !== "";
  const isGreen = spawnSync("sh", ["-c", gate], { cwd: repo }).status === 0;
  if (isChanged && isGreen) {
    const tree = git("write-tree");
    git("branch", name, git("commit-tree", tree, "-p", "HEAD", "-m", name));
  }
  git("reset", "-q", "--hard");
  git("clean", "-q", "-fdx");
  return isChanged && isGreen;
}

const configOf = ({ gate }: Library, resolve: string[] | undefined): string =>
  [
    '[project]\nname = "bench"\ntarget = "main"',
    '[agent]\nruntime = "script"',
    `[ci]\ncommand = ${JSON.stringify(gate)}`,
    '[merge]\nstrategy = "squash"',
    ...(resolve === undefined ? [] : [`[merge_queue]\nresolve = ${JSON.stringify(resolve)}`]),
    "",
  ].join("\n");
