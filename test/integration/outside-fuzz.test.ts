// Reports, set-up copies and checkouts of gates on random hostile trees: whatever a branch commits and
// whatever a gate leaves behind, nothing outside their folders changes. Links lead to a canary folder.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBuiltinCi } from "../../src/adapters/ci-builtin/builtin-ci.ts";
import { Folder, removeTree } from "../../src/adapters/shared/folder.ts";
import { createWorkspaces } from "../../src/adapters/workspace-setup/workspace-setup.ts";
import { commitId, treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import { createPrng, type Prng } from "../../src/lib/prng.ts";
import { makeCanary } from "../support/checkpoint-rounds.ts";
import { gitProject, type GitProject } from "../support/git-project.ts";
import { manifestOf } from "../support/manifest.ts";
import { growTree } from "../support/random-tree.ts";

/** A guard, not a claim: a loaded machine takes a minute. */
const GUARD_MS = 600_000;
const ROUNDS = 20;
/** Names that the random trees use for files, folders and links. */
const PARTS = ["a", "b", "data", "lib", "sub", "out", "conf", "x.txt", "run.sh", "a.txt", "b.txt"];

/** Names of files in the canary folder. */
const INSIDE = ["a", "a.txt", "b.txt", "x.txt", "sub/b.txt"];

/** Mostly through a link that is there, to a file that may be behind it. */
function somePath(random: Prng, links: string[] = []): string {
  if (links.length > 0 && random.chance(0.7)) return `${random.pick(links)}/${random.pick(INSIDE)}`;
  return Array.from({ length: 1 + random.int(3) }, () => random.pick(PARTS)).join("/");
}

/** Links with names that a setting can hold. */
const linksOf = (project: GitProject): string[] =>
  project
    .git(project.user, "ls-tree", "-r", "HEAD")
    .split("\n")
    .flatMap((line) => /^120000 .*\t(?<path>[\w./-]+)$/.exec(line)?.groups?.["path"] ?? []);

/**
 * What a gate may do to its checkout, which the next check may get again. It works at the top: below
 * a link the gate itself would change the canary.
 */
function someGate(random: Prng, canary: string): string {
  const name = random.pick(PARTS);
  return random.pick([
    "true",
    "exit 1",
    `rm -rf ${name}; mkdir ${name}; echo x > ${name}/b.txt`,
    `rm -rf ${name}; ln -s ${canary} ${name}`,
    `rm -rf .git; ln -s ${canary} .git`,
    `cd ..; mv "$OLDPWD" moved; ln -s ${canary} "$OLDPWD"`,
  ]);
}

/** A tree that git refuses in parts is committed without them. */
async function commitHostile(project: GitProject, random: Prng, canary: string) {
  const { user, options } = project;
  for (const name of readdirSync(user, { encoding: "latin1" })) {
    if (name !== ".git" && random.chance(0.5))
      rmSync(Buffer.from(`${user}/${name}`, "latin1"), { recursive: true, force: true });
  }
  await using root = await Folder.open(user);
  await growTree(root, { random, canary });
  const git = (...args: string[]): void => {
    try {
      execFileSync("git", args, { cwd: user, env: options.env, stdio: "ignore" });
    } catch {
      // Names that git never takes into an index.
    }
  };
  const names = readdirSync(user).filter((name) => name !== ".git");
  for (const name of names) git("--literal-pathspecs", "add", "-A", "-f", "--", name);
  git("commit", "-q", "--allow-empty", "-m", "hostile");
  return commitId(project.git(user, "rev-parse", "HEAD"));
}

/** Refusing a tree is right; any other error is not. */
async function mayRefuse(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

test.each([2, 3, 4, 5])(
  "reports, set-up copies and checkouts change nothing outside on hostile trees of seed %i",
  async (seed) => {
    using project = gitProject("local");
    const random = createPrng(seed);
    const canary = makeCanary(project.root);
    const untouched = [...(await manifestOf(canary))];
    const ci = createBuiltinCi({
      dir: join(project.root, "ci"),
      git: project.pawl,
      records: { get: async () => undefined, put: async () => undefined },
      environment: { PATH: process.env["PATH"] ?? "" },
      slots: 1,
      now: () => 0,
      crash: noCrash,
      graceMs: 200,
    });
    const workspace = join(project.root, "copied-into");
    let followed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const commit = await commitHostile(project, random, canary);
      await project.pawl.fetchTarget();
      const links = linksOf(project);
      followed += links.length;
      const gate = { name: "unit", timeoutMs: 60_000, report: somePath(random, links) };
      const check = ci.check({
        key: `run/toy/1.1/${round}`,
        commit,
        tree: treeId(project.git(project.user, "rev-parse", `${commit}^{tree}`)),
        gates: [{ ...gate, command: someGate(random, canary) }],
        setup: undefined,
        keep: random.chance(0.3) ? [random.pick(PARTS)] : [],
        history: false,
        tries: 1,
        signal: new AbortController().signal,
      });
      await mayRefuse(check);
      if (random.chance(0.5)) await removeTree(workspace);
      mkdirSync(workspace, { recursive: true });
      await using into = await Folder.open(workspace);
      await growTree(into, { random, canary });
      const copy = Array.from({ length: 1 + random.int(3) }, () => somePath(random, links));
      const setUp = { path: workspace, from: project.user, copy, env: {}, timeoutMs: 60_000 };
      await mayRefuse(createWorkspaces({}).setUp({ ...setUp, command: undefined }));
      expect([...(await manifestOf(canary))], `round ${round}`).toEqual(untouched);
    }
    expect(followed).toBeGreaterThan(ROUNDS);
  },
  GUARD_MS,
);
