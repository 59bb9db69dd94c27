// A clone of a repository on a real Gitea, from which tests push as Pawl's git would.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commitId, type Commit } from "../../src/core/ids.ts";
import { GIT_IDENTITY } from "./git-identity.ts";

/** A clone of its own, pushed from with the developer's token; an empty repository gets a first commit. */
export function cloneOf(remote: string) {
  const root = mkdtempSync("/tmp/pawl-gitea-clone-");
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, ...GIT_IDENTITY };
  const folder = join(root, "clone");
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: "pipe" }).trim();
  const inside = (...args: string[]): string => git("-C", folder, ...args);
  git("clone", "-q", remote, folder);
  if (inside("branch", "-r") === "") {
    inside("checkout", "-q", "-B", "main");
    inside("commit", "-q", "--allow-empty", "-m", "Begin");
    inside("push", "-q", "origin", "main");
  }
  let commits = 0;
  return {
    push(branch: string): Commit {
      commits += 1;
      inside("checkout", "-q", "-B", branch, "origin/main");
      inside("commit", "-q", "--allow-empty", "-m", `commit ${commits}`);
      inside("push", "-q", "-f", "origin", branch);
      return commitId(inside("rev-parse", "HEAD"));
    },
    land(head: Commit): void {
      inside("push", "-q", "origin", `${head}:refs/heads/main`);
    },
    /** What others did upstream meanwhile. */
    fetch: (): void => void inside("fetch", "-q", "origin"),
    remove: (): void => rmSync(root, { recursive: true }),
  };
}
