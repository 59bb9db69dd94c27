import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GIT_IDENTITY } from "../../../test/support/git-identity.ts";
import { pawl } from "../../../test/support/pawl-cli.ts";
import { SYSTEM_GITCONFIG } from "../../../test/support/system-gitconfig.ts";

const TOML = `[project]
name = "toy"
target = "develop"

[ci]
command = "true"

[agent]
runtime = "command"
command = ["./agent.sh"]
`;

let root = "";
const env = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...SYSTEM_GITCONFIG,
  ...GIT_IDENTITY,
};
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env, stdio: "pipe" });

/** `develop` has all files; `main`, which was guessed from the remote, has none. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pawl-init-"));
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "Begin");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("checkout", "-q", "-b", "develop");
  git("update-ref", "refs/remotes/origin/develop", "HEAD");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  git("remote", "add", "origin", join(root, "none.git"));
  writeFileSync(join(root, "pawl.toml"), TOML);
  writeFileSync(join(root, "agent.sh"), "#!/bin/sh\n", { mode: 0o755 });
  git("add", "-A");
  git("commit", "-q", "-m", "Add files");
});
afterEach(() => rmSync(root, { recursive: true }));

async function stepsOf(): Promise<string> {
  const answers = {
    "POST /v1/projects": { name: "toy", root },
    "GET /v1/status": { projects: [] },
  };
  const { code, stderr } = await pawl(["init"], { answers, cwd: root, env });
  expect(code, stderr).toBe(0);
  return stderr.slice(stderr.indexOf("next:"));
}

test("init looks for the agent's script on the target that the existing pawl.toml names", async () => {
  git("update-ref", "refs/remotes/origin/develop", "HEAD");
  expect(await stepsOf()).not.toContain("agent.sh");
});

test("init suggests to push a script that is committed, not to commit it again", async () => {
  expect(await stepsOf()).toContain("git push origin develop");
  git("rm", "-q", "--cached", "agent.sh");
  git("commit", "-q", "-m", "Forget it");
  expect(await stepsOf()).toContain("git add agent.sh && git commit -m 'Add agent.sh' && git push");
});
