// What `pawl init` can find out about a folder before it asks: the repository, its target, how it
// is tested, which agents are there. It reads only; git and files are handed in.
import { basename, delimiter, join } from "node:path";
import { RUNTIMES } from "../adapters/runtimes.ts";
import { OperationError } from "../lib/operation-error.ts";
import { guessTestCommands, type TestCommand } from "./test-commands.ts";

export type DetectPorts = {
  /** Runs git in the folder; an exit code is a result. */
  git(args: string[]): Promise<{ exitCode: number | null; stdout: string }>;
  /** Absolute paths; undefined where there is no such file. */
  readFile(path: string): Promise<string | undefined>;
  exists(path: string): Promise<boolean>;
  /** The user's PATH. */
  searchPath: string;
};

export type Draft = {
  /** The repository's top folder. */
  root: string;
  name: string;
  target: string;
  remote: { name: string; url: string } | undefined;
  /** The likeliest first; empty if there is nothing was recognised. */
  testCommands: TestCommand[];
  /** Programs of known agents that were found on PATH. */
  agents: string[];
};

const PROGRAMS = RUNTIMES.flatMap(({ program }) => program ?? []);

export async function detectProject(folder: string, ports: DetectPorts): Promise<Draft> {
  const root = await findRoot(folder, ports);
  const current = await currentBranch(root, ports);
  const remote = await findRemote(ports);
  return {
    root,
    name: toProjectName(basename(root)),
    target: await findTarget(ports, { remote: remote?.name, current }),
    remote,
    testCommands: await guessTestCommands({
      readFile: (path) => ports.readFile(join(root, path)),
      exists: (path) => ports.exists(join(root, path)),
    }),
    agents: await findAgents(ports),
  };
}

async function findRoot(folder: string, ports: DetectPorts): Promise<string> {
  const top = await ports.git(["rev-parse", "--show-toplevel"]);
  if (top.exitCode === 0 && top.stdout.trim() !== "") return top.stdout.trim();
  const bare = await ports.git(["rev-parse", "--is-bare-repository"]);
  if (bare.exitCode === 0 && bare.stdout.trim() === "true") {
    throw new OperationError(`${folder} is a bare repository`, {
      code: "bare-repository",
      hint: "clone it, and run `pawl init` in the clone",
    });
  }
  throw new OperationError(`${folder} is not in a git repository`, {
    code: "not-a-repository",
    hint: "run `pawl init` inside your project, or make it a repository with `git init`",
  });
}

async function currentBranch(root: string, ports: DetectPorts): Promise<string> {
  const head = await ports.git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head.exitCode !== 0) {
    throw new OperationError(`the repository ${root} has no commits yet`, {
      code: "no-commits",
      hint: 'make the first one: git add -A && git commit -m "First commit"',
    });
  }
  const branch = await ports.git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (branch.exitCode === 0) return branch.stdout.trim();
  throw new OperationError(`the repository ${root} is on no branch (detached HEAD)`, {
    code: "detached-head",
    hint: "switch to the branch that work should land on, e.g. `git switch main`",
  });
}

async function findRemote(ports: DetectPorts): Promise<Draft["remote"]> {
  const listed = await ports.git(["remote"]);
  const names = listed.stdout.split("\n").filter((name) => name !== "");
  const name = names.includes("origin") ? "origin" : names[0];
  if (name === undefined) return undefined;
  const url = await ports.git(["remote", "get-url", name]);
  return url.exitCode === 0 ? { name, url: url.stdout.trim() } : undefined;
}

async function findTarget(
  ports: DetectPorts,
  known: { remote: string | undefined; current: string },
): Promise<string> {
  const { remote, current } = known;
  if (remote !== undefined) {
    const ref = `refs/remotes/${remote}/HEAD`;
    const head = await ports.git(["symbolic-ref", "--quiet", "--short", ref]);
    if (head.exitCode === 0) return head.stdout.trim().slice(remote.length + 1);
  }
  for (const name of ["main", "master"]) {
    const branch = await ports.git(["rev-parse", "--verify", "--quiet", `refs/heads/${name}`]);
    if (branch.exitCode === 0) return name;
  }
  return current;
}

async function findAgents(ports: DetectPorts): Promise<string[]> {
  const folders = ports.searchPath.split(delimiter).filter((folder) => folder !== "");
  const isThere = async (program: string): Promise<boolean> => {
    const found = await Promise.all(folders.map((folder) => ports.exists(join(folder, program))));
    return found.includes(true);
  };
  const found = await Promise.all(PROGRAMS.map(isThere));
  return PROGRAMS.filter((_, index) => found[index]);
}

/** As near to the folder's name as the rules for names allow. */
export function toProjectName(folder: string): string {
  const slug = folder
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return slug === "" ? "project" : slug;
}
