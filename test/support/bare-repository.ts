// A bare repository in a private folder, as a forge holds it: commits come onto its branches without
// a checkout. Nothing of the user's git is read.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commitId, type Commit } from "../../src/core/ids.ts";
import { GIT_IDENTITY } from "./git-identity.ts";

export type BareRepository = ReturnType<typeof bareRepository>;

export function bareRepository() {
  const root = mkdtempSync("/tmp/pawl-bare-");
  const path = join(root, "bare.git");
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, ...GIT_IDENTITY };
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", path, ...args], { env, encoding: "utf8" }).trim();
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", path], { env });
  let commits = 0;
  return {
    path,
    git,
    /** A new commit on top of main, as this branch; main itself stays. */
    commit(branch: string): Commit {
      commits += 1;
      const tree = git("hash-object", "-t", "tree", "-w", "/dev/null");
      const parents = branch === "main" ? [] : ["-p", "main"];
      const made = git("commit-tree", tree, ...parents, "-m", `commit ${commits}`);
      git("update-ref", `refs/heads/${branch}`, made);
      return commitId(made);
    },
    /** A new commit on this branch of another user's fork, as a forge keeps forks beside it. */
    fork(owner: string, branch: string): Commit {
      const made = this.commit("forked");
      git("update-ref", `refs/forks/${owner}/${branch}`, made);
      git("update-ref", "-d", "refs/heads/forked");
      return made;
    },
    remove: (): void => rmSync(root, { recursive: true }),
  };
}
