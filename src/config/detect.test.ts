import { expect, test } from "vitest";
import { detectProject, toProjectName, type DetectPorts } from "./detect.ts";

type World = { git?: Record<string, string>; files?: Record<string, string> };

const REPOSITORY = {
  "rev-parse --show-toplevel": "/home/me/My App\n",
  "rev-parse --verify --quiet HEAD^{commit}": "c0ffee\n",
  "symbolic-ref --quiet --short HEAD": "feature\n",
  remote: "",
};

/** Git answers what is listed, and fails for the rest. */
function portsOf({ git = REPOSITORY, files = {} }: World): DetectPorts {
  const answers: Record<string, string> = git;
  return {
    git: async (args) => {
      const stdout = answers[args.join(" ")];
      return stdout === undefined ? { exitCode: 128, stdout: "" } : { exitCode: 0, stdout };
    },
    readFile: async (path) => files[path],
    exists: async (path) => files[path] !== undefined,
    searchPath: "/usr/bin:/opt/bin",
  };
}

const detect = (world: World) => detectProject("/home/me/My App", portsOf(world));
const detectFiles = (files: Record<string, string>) => {
  const absolute = Object.entries(files).map(([path, text]) => [`/home/me/My App/${path}`, text]);
  return detect({ files: Object.fromEntries(absolute) as Record<string, string> });
};

test("a folder outside any repository is refused with what to do", async () => {
  await expect(detect({ git: {} })).rejects.toMatchObject({
    message: "/home/me/My App is not in a git repository",
    hint: "run `pawl init` inside your project, or make it a repository with `git init`",
  });
});

test("a bare repository is refused", async () => {
  const git = { "rev-parse --is-bare-repository": "true\n" };
  await expect(detect({ git })).rejects.toMatchObject({ code: "bare-repository" });
});

test("a repository without commits is refused with what to do", async () => {
  const git = { "rev-parse --show-toplevel": "/r\n" };
  await expect(detect({ git })).rejects.toMatchObject({
    message: "the repository /r has no commits yet",
    hint: 'make the first one: git add -A && git commit -m "First commit"',
  });
});

test("a detached HEAD is refused with what to do", async () => {
  const { "symbolic-ref --quiet --short HEAD": _, ...git } = REPOSITORY;
  await expect(detect({ git })).rejects.toMatchObject({
    message: "the repository /home/me/My App is on no branch (detached HEAD)",
    hint: "switch to the branch that work should land on, e.g. `git switch main`",
  });
});

test("without a remote and without main or master the current branch is the target", async () => {
  expect(await detect({})).toMatchObject({ target: "feature", remote: undefined, name: "my-app" });
});

test("main comes before master, and both before the current branch", async () => {
  const master = { ...REPOSITORY, "rev-parse --verify --quiet refs/heads/master": "a" };
  expect(await detect({ git: master })).toMatchObject({ target: "master" });
  const both = { ...master, "rev-parse --verify --quiet refs/heads/main": "b" };
  expect(await detect({ git: both })).toMatchObject({ target: "main" });
});

test("the remote's own default branch comes first", async () => {
  const git = {
    ...REPOSITORY,
    remote: "fork\norigin\n",
    "remote get-url origin": "git@example.org:me/app.git\n",
    "symbolic-ref --quiet --short refs/remotes/origin/HEAD": "origin/release/next\n",
    "rev-parse --verify --quiet refs/heads/main": "a",
  };
  expect(await detect({ git })).toMatchObject({
    target: "release/next",
    remote: { name: "origin", url: "git@example.org:me/app.git" },
  });
});

test("agents on PATH are found", async () => {
  expect(await detect({ files: { "/opt/bin/codex": "" } })).toMatchObject({ agents: ["codex"] });
});

test.each([
  [
    { "package.json": '{"scripts":{"test":"vitest"}}', "package-lock.json": "{}" },
    "npm test",
    "npm ci",
  ],
  [
    { "package.json": '{"scripts":{"test":"vitest"}}', "pnpm-lock.yaml": "" },
    "pnpm test",
    "pnpm install --frozen-lockfile",
  ],
  [{ "package.json": '{"scripts":{"test":"node --test"}}' }, "npm test", undefined],
  [{ Makefile: "all: build\n\ntest: all\n\tsh t\n" }, "make test", undefined],
  [{ "Cargo.toml": "" }, "cargo test", undefined],
  [{ "go.mod": "" }, "go test ./...", undefined],
  [
    { "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8"]' },
    "python3 -m pytest",
    undefined,
  ],
  [{ "test.sh": "" }, "sh test.sh", undefined],
])("%j is tested by %j", async (files, command, setup) => {
  expect((await detectFiles(files as Record<string, string>)).testCommands).toMatchObject([
    { command, setup },
  ]);
});

test.each([
  [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }],
  [{ "package.json": "{" }],
  [{ Makefile: "build:\n\ttrue\ntest := x\n" }],
  [{ "pyproject.toml": "[project]" }],
  [{}],
])("%j has no tests that can be guessed", async (files) => {
  expect((await detectFiles(files as Record<string, string>)).testCommands).toEqual([]);
});

test.each([
  ["My App", "my-app"],
  ["--x--", "x"],
  ["Übergröße", "ubergro-e"],
  ["…", "project"],
  [`${"a".repeat(39)}-b`, "a".repeat(39)],
])("the folder %j is named %j", (folder, name) => {
  expect(toProjectName(folder)).toBe(name);
});
