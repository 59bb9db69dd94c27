import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../src/adapters/shared/run.ts";
import { detectProject } from "../../src/config/detect.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { renderConfig } from "../../src/config/render.ts";
import { SYSTEM_GITCONFIG } from "../support/system-gitconfig.ts";

let root = "";

beforeEach(async () => {
  root = realpathSync(await mkdtemp(join(tmpdir(), "pawl-detect-")));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const ENV = () => ({
  PATH: process.env["PATH"],
  HOME: root,
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...SYSTEM_GITCONFIG,
  GIT_CEILING_DIRECTORIES: root,
  GIT_AUTHOR_NAME: "Toy",
  GIT_AUTHOR_EMAIL: "toy@example.org",
  GIT_COMMITTER_NAME: "Toy",
  GIT_COMMITTER_EMAIL: "toy@example.org",
});

const git = (...args: string[]): void => {
  execFileSync("git", args, { cwd: root, env: ENV(), stdio: "pipe" });
};

function detect(folder: string) {
  return detectProject(folder, {
    git: async (args) =>
      run({
        argv: ["git", ...args],
        cwd: folder,
        env: ENV(),
        timeoutMs: 30_000,
        maxBytes: 1_000_000,
        expect: [0, 1, 2, 128],
      }),
    readFile: async (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    exists: async (path) => existsSync(path),
    searchPath: join(root, "bin"),
  });
}

test("a clone is found from any folder in it, with its upstream's default branch", async () => {
  git("init", "-q", "-b", "trunk", "upstream");
  git("-C", "upstream", "commit", "-q", "--allow-empty", "-m", "start");
  git("clone", "-q", "upstream", "Toy.App");
  git("-C", "Toy.App", "switch", "-q", "-c", "main");
  mkdirSync(join(root, "Toy.App", "src"));
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "claude"), "");
  writeFileSync(join(root, "Toy.App", "test.sh"), "true\n");
  const draft = await detect(join(root, "Toy.App", "src"));
  expect(draft).toMatchObject({
    root: join(root, "Toy.App"),
    name: "toy-app",
    target: "trunk",
    remote: { name: "origin", url: join(root, "upstream") },
    testCommands: [{ command: "sh test.sh" }],
    agents: ["claude"],
  });
  expect(parseConfig(renderConfig(draft), "pawl.toml")).toMatchObject({ kind: "valid" });
});

test("what cannot be a project is refused by its own name", async () => {
  await expect(detect(root)).rejects.toMatchObject({ code: "not-a-repository" });
  git("init", "-q", "--bare", "bare.git");
  await expect(detect(join(root, "bare.git"))).rejects.toMatchObject({ code: "bare-repository" });
  git("init", "-q", "fresh");
  await expect(detect(join(root, "fresh"))).rejects.toMatchObject({ code: "no-commits" });
  git("-C", "fresh", "commit", "-q", "--allow-empty", "-m", "start");
  git("-C", "fresh", "switch", "-q", "--detach");
  await expect(detect(join(root, "fresh"))).rejects.toMatchObject({ code: "detached-head" });
});
