// Rounds of the property of checkpoints: random trees are made in a workspace, saved, restored into a
// new folder and into the workspace itself, and compared byte for byte; what differs must be listed.
// Nothing outside changes: links lead to a canary folder, which is compared too.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder, removeTree } from "../../src/adapters/shared/folder.ts";
import type { Commit } from "../../src/core/ids.ts";
import type { Prng } from "../../src/lib/prng.ts";
import type { GitProject } from "./git-project.ts";
import { gitProject } from "./git-project.ts";
import { differences, manifestOf, type Manifest } from "./manifest.ts";
import { growTree, IGNORED } from "./random-tree.ts";

const IDENTITY = "dev-1";
const BRANCH = "pawl/1";

type Saved = { commit: Commit; files: Manifest; repository: string; listed: string[] };

/** Runs rounds until `trees` trees were made; answers what was wrong, which is nothing. */
export async function checkpointRounds(
  random: Prng,
  { trees, perRound }: { trees: number; perRound: number },
): Promise<{ trees: number; wrong: string[] }> {
  using project = gitProject("local");
  const canary = makeCanary(project.root);
  const untouched = [...(await manifestOf(canary))];
  const workspace = project.workspace(IDENTITY);
  const from = await project.pawl.fetchTarget();
  const wrong: string[] = [];
  let made = 0;
  while (made < trees && wrong.length === 0) {
    await removeTree(workspace);
    await project.pawl.prepareWorkspace({ path: workspace, branch: BRANCH, from });
    writeFileSync(join(workspace, ".gitignore"), IGNORED);
    const round = { project, workspace, random, canary };
    const first = await grownAndSaved(round, perRound);
    const second = await grownAndSaved(round, perRound);
    made += 2 * perRound;
    wrong.push(...(await restoredElsewhere(round, second)), ...(await restoredInto(round, first)));
    if (JSON.stringify([...(await manifestOf(canary))]) !== JSON.stringify(untouched)) {
      wrong.push("the canary folder has changed");
    }
  }
  return { trees: made, wrong };
}

export function makeCanary(root: string): string {
  const canary = join(root, "canary");
  mkdirSync(join(canary, "sub"), { recursive: true });
  for (const name of ["a.txt", "sub/b.txt", "x.txt", "a"]) {
    writeFileSync(join(canary, name), `precious ${name}\n`);
  }
  return canary;
}

type Round = { project: GitProject; workspace: string; random: Prng; canary: string };

async function grownAndSaved(round: Round, trees: number): Promise<Saved> {
  const { project, workspace, random } = round;
  await using root = await Folder.open(workspace);
  for (let tree = 0; tree < trees; tree += 1) {
    const name = `tree-${tree}`;
    if (random.chance(0.05)) await root.remove(name);
    if ((await root.stat(name))?.isDirectory() === false) continue;
    await using folder = await root.make(name);
    await growTree(folder, round);
  }
  if (random.chance(0.7)) await growNested(round, root);
  changeRepository(project, workspace, random);
  const outcome = await project.pawl.checkpoint({ workspace, identity: IDENTITY, reason: "round" });
  if (outcome.kind === "absent") throw new Error("the workspace is gone");
  const files = await manifestOf(workspace);
  const repository = repositoryOf(project, workspace);
  return { commit: outcome.commit, files, repository, listed: outcome.skipped };
}

/** A repository in a folder whose name need not be UTF-8, sometimes one inside it. */
async function growNested(round: Round, root: Folder): Promise<void> {
  const { project, random } = round;
  const name = random.pick(["nested", "caf\u00E9", "lib/tool", "tree-0/deep er"]);
  await using folder = await root.make(name, (holder, taken) => holder.remove(taken));
  if ((await folder.stat(".git")) === undefined)
    project.git(folder.path, "init", "-q", "-b", "trunk");
  await growTree(folder, round);
  changeRepository(project, folder.path, random);
}

/** Commits, branches, tags, notes, stashes, staged content: any of them, in any order. */
function changeRepository(project: GitProject, path: string, random: Prng): void {
  const git = (...args: string[]): void => {
    try {
      execFileSync("git", args, { cwd: path, env: project.options.env, stdio: "ignore" });
    } catch {
      // A repository without commits has nothing to tag; a tree may be one that git refuses.
    }
  };
  const write = (name: string): void => {
    rmSync(join(path, name), { recursive: true, force: true });
    writeFileSync(join(path, name), `${random.next()}\n`);
  };
  const id = String(random.int(1_000_000));
  const steps: (() => void)[] = [
    () => (write("c.txt"), git("add", "c.txt"), git("commit", "-q", "-m", `c ${id}`)),
    () => (write("s.txt"), git("add", "s.txt"), write("s.txt")),
    () => (write("g.txt"), git("add", "g.txt"), rmSync(join(path, "g.txt"))),
    () => git("rm", "-q", "--cached", "a.txt"),
    () => git("branch", `b${id}`),
    () => git("tag", `t${id}`),
    () => git("tag", "-a", "-m", "annotated", `v${id}`),
    () => git("notes", "add", "-f", "-m", id, "HEAD"),
    () => (write("c.txt"), git("stash", "-q")),
    () => git("checkout", "-q", "--detach"),
    () => git("update-ref", `refs/odd/${id}`, "HEAD:c.txt"),
  ];
  for (const step of random.shuffle(steps).slice(0, random.int(5))) step();
}

/** Refs, HEAD, the stash and the index, as text. */
function repositoryOf(project: GitProject, path: string): string {
  const say = (...args: string[]): string => {
    try {
      return project.git(path, ...args);
    } catch {
      return "none";
    }
  };
  return [
    say("for-each-ref", "--format=%(objectname) %(refname)")
      .split("\n")
      .filter((line) => !line.includes(" refs/remotes/"))
      .join("\n"),
    say("symbolic-ref", "-q", "HEAD"),
    say("rev-parse", "HEAD"),
    say("stash", "list", "--format=%H"),
    say("ls-files", "-s"),
  ].join("\n--\n");
}

async function restoredElsewhere({ project }: Round, saved: Saved): Promise<string[]> {
  const path = join(project.root, "restored");
  await removeTree(path);
  await project.checkpoints.restoreTo({ commit: saved.commit, path });
  return compared({ project, path }, saved, []);
}

async function restoredInto({ project, workspace }: Round, saved: Saved): Promise<string[]> {
  const before = await project.pawl.checkpoint({ workspace, identity: IDENTITY, reason: "before" });
  const listed = before.kind === "absent" ? [] : before.skipped;
  const { commit } = saved;
  const request = { commit, workspace, identity: IDENTITY, mayBegin: async () => true };
  await project.checkpoints.restoreInto(request);
  return compared({ project, path: workspace }, saved, listed);
}

async function compared(
  { project, path }: { project: GitProject; path: string },
  saved: Saved,
  listed: string[],
): Promise<string[]> {
  const files = differences(saved.files, await manifestOf(path), [...saved.listed, ...listed]);
  const repository = repositoryOf(project, path);
  const same = repository === saved.repository;
  return same ? files : [...files, `refs or index: ${saved.repository}\n=====\n${repository}`];
}
