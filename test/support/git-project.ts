// A project with real repositories in a private temp folder: the user's repository, a bare remote
// where the test wants one, and the git adapter on top. Nothing of the user's git is read.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGit, createProjectGit } from "../../src/adapters/git-cli/git.ts";
import type { GitOptions } from "../../src/adapters/git-cli/context.ts";
import type { Upstream } from "../../src/core/config.ts";
import type { Commit } from "../../src/core/ids.ts";
import { commitId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { GIT_IDENTITY } from "./git-identity.ts";
import { SYSTEM_GITCONFIG } from "./system-gitconfig.ts";

export type GitProject = ReturnType<typeof gitProject>;

export function gitProject(kind: Upstream["kind"], more: Partial<GitOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), "pawl-git-"));
  const user = join(root, "user");
  const remote = join(root, "remote.git");
  const hub = join(root, "projects", "demo", "hub.git");
  const home = join(root, "home");
  mkdirSync(home);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...SYSTEM_GITCONFIG,
    ...GIT_IDENTITY,
  };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
  const write = (folder: string, files: Record<string, string | Buffer>): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  const commit = (folder: string, files: Record<string, string>, message = "change"): Commit => {
    write(folder, files);
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "--allow-empty", "-m", message);
    return commitId(git(folder, "rev-parse", "HEAD"));
  };

  mkdirSync(user);
  git(user, "init", "-q", "-b", "main");
  git(user, "config", "user.name", "Ada");
  git(user, "config", "user.email", "ada@example.org");
  const first = commit(user, { "a.txt": "1\n", "b.txt": "1\n", "dir/c.txt": "1\n" }, "first");
  if (kind === "remote") {
    git(root, "clone", "-q", "--bare", user, remote);
    git(user, "remote", "add", "origin", remote);
  }
  const upstream: Upstream =
    kind === "local" ? { kind, path: user } : { kind, url: remote, path: user };
  const options: GitOptions = {
    hub,
    upstream,
    target: "main",
    config: { sign: false, author: undefined },
    crash: noCrash,
    env,
    ...more,
  };
  const { git: pawl, checkpoints } = createProjectGit(options);
  return {
    root,
    user,
    remote,
    hub,
    first,
    options,
    pawl,
    checkpoints,
    git,
    write,
    commit,
    workspace: (name: string): string => join(root, "projects", "demo", "workspaces", name),
    read: (...path: string[]): string => readFileSync(join(...path), "utf8"),
    head: (folder: string, name = "HEAD"): Commit => commitId(git(folder, "rev-parse", name)),
    [Symbol.dispose]: (): void => rmSync(root, { recursive: true, force: true }),
  };
}

/** The adapter again, as after a crash: nothing is remembered in memory. */
export const restarted = (project: GitProject, more: Partial<GitOptions> = {}) =>
  createGit({ ...project.options, ...more });

/** The same, with what belongs to checkpoints. */
export const restartedBoth = (project: GitProject, more: Partial<GitOptions> = {}) =>
  createProjectGit({ ...project.options, ...more });

export class Crash extends Error {
  override readonly name = "Crash";
}

/** A crash point that ends the call at one name. */
export const crashAt =
  (wanted: string) =>
  (name: string): void => {
    if (name === wanted) throw new Crash(`crashed at ${name}`);
  };
