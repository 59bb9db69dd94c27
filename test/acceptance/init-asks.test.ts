// Issue 13, item 2: what `pawl init` asks on a terminal leads to the same pawl.toml as `--yes`.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, writeFiles } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

/** A project that is tested by npm, with Claude Code on the PATH. */
async function project() {
  const files = {
    "package.json": '{"scripts":{"test":"sh test.sh"}}\n',
    "package-lock.json": "{}\n",
  };
  const factory = await makeFactory({ files });
  writeFiles(factory.root, { "bin/claude": "#!/bin/sh\necho '2.1.0 (Claude Code)'\n" });
  chmodSync(join(factory.root, "bin/claude"), 0o755);
  factory.env["PATH"] = `${join(factory.root, "bin")}:${factory.env["PATH"]}`;
  const socket = join(factory.root, "pty.sock");
  const tmux = (...args: string[]): string =>
    spawnSync("tmux", ["-S", socket, ...args], {
      cwd: factory.repo,
      env: factory.env,
      encoding: "utf8",
    }).stdout;
  return { ...factory, tmux };
}

type Asked = Awaited<ReturnType<typeof project>>;

function start({ tmux, root }: Asked): void {
  const command = `"${process.execPath}" "${MAIN}" init; echo $? > "${root}/ended"`;
  tmux("new-session", "-d", "-s", "init", "-x", "120", "-y", "40", command);
  tmux("set-option", "-g", "remain-on-exit", "on");
}

const shows = (factory: Asked, text: string): Promise<boolean> =>
  factory.until(`the terminal shows ${text}`, async () =>
    factory.tmux("capture-pane", "-p", "-t", "init").includes(text),
  );

const ended = (factory: Asked): Promise<boolean> =>
  factory.until("init has ended", async () => existsSync(join(factory.root, "ended")));

test("on a terminal, claude and the first command give the file that --yes gives", async () => {
  await using factory = await project();
  start(factory);
  await shows(factory, "Which agent does the work?");
  factory.tmux("send-keys", "-t", "init", "Enter");
  await shows(factory, "What must pass");
  factory.tmux("send-keys", "-t", "init", "Enter");
  await ended(factory);
  const asked = factory.read("repo", "pawl.toml");
  expect(asked).toContain('runtime = "claude"');
  factory.git("clean", "-fdq");
  expect(await factory.ok("init", "--yes", "--dry-run")).toBe(asked.trim());
  factory.tmux("kill-server");
});

test("a command that is typed into the choice does not choose that nothing must pass", async () => {
  await using factory = await project();
  factory.git("rm", "-q", "package.json", "package-lock.json", "test.sh");
  start(factory);
  await shows(factory, "Which agent does the work?");
  factory.tmux("send-keys", "-t", "init", "Enter");
  await shows(factory, "What must pass");
  factory.tmux("send-keys", "-t", "init", "make all", "Enter");
  await shows(factory, "exit code 0 means passed");
  factory.tmux("send-keys", "-t", "init", "make all", "Enter");
  await ended(factory);
  expect(factory.read("repo", "pawl.toml")).toContain('command = "make all"');
  factory.tmux("kill-server");
});

test("another command keeps the set-up and the folders that were found", async () => {
  await using factory = await project();
  start(factory);
  await shows(factory, "Which agent does the work?");
  factory.tmux("send-keys", "-t", "init", "Enter");
  await shows(factory, "What must pass");
  // The commands that were found come first.
  const before = factory.tmux("capture-pane", "-p", "-t", "init");
  const found = before.split("What must pass")[1] ?? "";
  const steps = found
    .split("\n")
    .slice(1)
    .findIndex((line) => line.includes("another command"));
  for (let step = 0; step < steps; step += 1) factory.tmux("send-keys", "-t", "init", "Down");
  factory.tmux("send-keys", "-t", "init", "Enter");
  await shows(factory, "exit code 0 means passed");
  factory.tmux("send-keys", "-t", "init", "npm run check", "Enter");
  await ended(factory);
  const text = factory.read("repo", "pawl.toml");
  expect(text).toContain('command = "npm run check"');
  expect(text).toContain('setup = "npm ci"');
  expect(text).toContain('keep = ["node_modules"]');
  factory.tmux("kill-server");
});
