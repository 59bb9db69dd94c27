// Settings of git that change what lies on the disk, in the user's own configuration and in what an
// agent sets: a branch goes the whole way, and the user's checkout is clean afterwards.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitProject, restartedBoth } from "../support/git-project.ts";

const SETTINGS: [name: string, config: string][] = [
  ["core.splitIndex", "[core]\n\tsplitIndex = true\n[splitIndex]\n\tmaxPercentChange = 0\n"],
  ["core.untrackedCache", "[core]\n\tuntrackedCache = true\n"],
  ["core.fsmonitor", "[core]\n\tfsmonitor = true\n"],
  ["core.fsmonitor as a program", "[core]\n\tfsmonitor = /bin/false\n"],
  ["feature.manyFiles", "[feature]\n\tmanyFiles = true\n"],
  ["index.version", "[index]\n\tversion = 4\n"],
  ["core.autocrlf", "[core]\n\tautocrlf = true\n"],
  ["core.autocrlf input", "[core]\n\tautocrlf = input\n\tsafecrlf = true\n"],
  ["core.eol", "[core]\n\teol = crlf\n"],
  ["core.precomposeUnicode", "[core]\n\tprecomposeUnicode = true\n"],
  ["core.protectHFS and protectNTFS", "[core]\n\tprotectHFS = true\n\tprotectNTFS = true\n"],
  ["core.ignorecase", "[core]\n\tignorecase = true\n"],
  ["core.filemode", "[core]\n\tfilemode = false\n"],
  ["core.symlinks", "[core]\n\tsymlinks = false\n"],
  ["core.checkStat and trustctime", "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n"],
  ["core.sharedRepository", "[core]\n\tsharedRepository = group\n"],
  ["index.sparse", "[index]\n\tsparse = true\n[core]\n\tsparseCheckout = true\n"],
];

/** Everything a branch goes through, with the agent's and the user's git under one configuration. */
async function wholeWay(config: string, local?: (user: string) => void) {
  const project = gitProject("local");
  const home = join(project.root, "home");
  mkdirSync(home, { recursive: true });
  const file = join(home, ".gitconfig");
  writeFileSync(file, config);
  const env = { ...project.options.env, GIT_CONFIG_GLOBAL: file };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
  local?.(project.user);
  git(project.user, "status", "--porcelain");
  const { git: pawl } = restartedBoth(project, { env });
  const target = await pawl.fetchTarget();
  const [workspace, branch] = [project.workspace("dev-1"), "pawl/1"];
  await pawl.prepareWorkspace({ path: workspace, branch, from: target, identity: "dev-1" });
  project.write(workspace, { "new/n.txt": "one\n", "dir/c.txt": "two\n" });
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "agent");
  await pawl.checkpoint({ workspace, identity: "dev-1", reason: "test" });
  const { head, dirty } = await pawl.fetchBranch({ workspace, branch, target });
  const heads = [{ branch, head, message: "agent" }];
  const built = await pawl.buildCandidate({ onto: target, heads, strategy: "rebase", ref: "1" });
  if (built.kind !== "built") throw new Error("it conflicts");
  const check = join(project.root, "check");
  await pawl.checkout({ commit: built.commit, path: check, keep: [], history: true });
  const clean = git(check, "status", "--porcelain");
  const landed = await pawl.land({ candidate: built.commit, expected: target });
  return { ...project, landed, dirty, clean, status: git(project.user, "status", "--porcelain") };
}

test.each(SETTINGS)("with %s a branch lands and the checkout is clean", async (_, config) => {
  using done = await wholeWay(config);
  expect(done.landed.kind).toBe("landed");
  expect([done.dirty, done.clean, done.status]).toEqual([[], "", ""]);
  expect(done.read(done.user, "new/n.txt").trim()).toBe("one");
});

test("in a sparse checkout only what belongs there is written, and the rest stays away", async () => {
  let git = (..._args: string[]): void => {};
  using done = await wholeWay("", (user) => {
    git = (...args) => void execFileSync("git", args, { cwd: user, stdio: "pipe" });
    git("sparse-checkout", "set", "--cone", "--sparse-index", "new");
  });
  expect(done.landed.kind).toBe("landed");
  expect(done.status).toBe("");
  expect(done.read(done.user, "new/n.txt")).toBe("one\n");
  expect(() => done.read(done.user, "dir/c.txt")).toThrow("ENOENT");
});

test("an agent that splits its own index is fetched with what it left uncommitted", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const [workspace, branch] = [project.workspace("dev-1"), "pawl/1"];
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  project.git(workspace, "config", "core.splitIndex", "true");
  project.commit(workspace, { "n.txt": "1\n" });
  project.git(workspace, "update-index", "--split-index");
  project.write(workspace, { "staged.txt": "1\n", "a.txt": "edited\n" });
  project.git(workspace, "add", "staged.txt");
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(state).toMatchObject({ ahead: 1, dirty: ["a.txt", "staged.txt"] });
});
