// Getting Pawl and getting rid of it: `pawl link`, which build runs, and a demo that leaves nothing.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, type Factory } from "../support/pawl.ts";

const CHECKOUT = join(import.meta.dirname, "../..");

const binOf = (factory: Factory): string => join(factory.env["HOME"] ?? "", ".local/bin");

test("link makes the checkout callable as pawl, and link --remove takes it off the PATH", async () => {
  await using factory = await makeFactory({ fromSources: true });
  const bin = binOf(factory);
  const linked = await factory.pawl("link");
  expect(linked.code, linked.stderr).toBe(0);
  expect(linked.stdout).toContain(`linked ${bin}/pawl to ${CHECKOUT}/pawl`);
  // The folder is not on this PATH: the line that puts it there is shown.
  expect(linked.stdout).toContain(`export PATH="$HOME/.local/bin:$PATH"`);
  expect(readlinkSync(join(bin, "pawl"))).toBe(join(CHECKOUT, "pawl"));

  factory.env["PATH"] = `${bin}:${factory.env["PATH"] ?? ""}`;
  const typed = spawnSync("pawl", ["--version"], {
    cwd: factory.repo,
    env: factory.env,
    encoding: "utf8",
  });
  expect(typed.stdout).toContain(`checkout ${CHECKOUT}`);
  const again = await factory.pawl("link");
  expect([again.code, again.stdout]).toEqual([
    0,
    `${bin}/pawl already points to ${CHECKOUT}/pawl\n`,
  ]);

  // What `pawl link` asked for is named when everything else is gone.
  const line = 'export PATH="$HOME/.local/bin:$PATH"';
  writeFileSync(join(factory.env["HOME"] ?? "", ".bashrc"), `${line}\n`);
  factory.env["SHELL"] = "/bin/bash";
  const gone = await factory.pawl("uninstall", "--yes");
  expect(gone.stdout).toContain(`removed ${bin}/pawl\n`);
  expect(gone.stderr).toContain(`is left: delete its checkout ${CHECKOUT}\n`);
  expect(gone.stderr).toContain(`~/.bashrc still has the line for \`pawl link\`:\n  ${line}\n`);

  await factory.ok("link");
  const removed = await factory.pawl("link", "--remove");
  expect([removed.code, removed.stdout]).toEqual([0, `removed ${bin}/pawl\n`]);
  expect(existsSync(join(bin, "pawl"))).toBe(false);
  const none = await factory.pawl("link", "--remove");
  expect([none.code, none.stderr]).toEqual([0, `there is no link ${bin}/pawl\n`]);
});

test("link takes the folder of --dir, and never replaces a file that is not a link", async () => {
  await using factory = await makeFactory({ fromSources: true });
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pawl"), "another program\n");
  const refused = await factory.pawl("link", "--dir", bin);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`${bin}/pawl is another file, which is not a link`),
  ]);
  expect((await factory.pawl("link", "--remove", "--dir", bin)).code).toBe(1);
  expect(lstatSync(join(bin, "pawl")).isFile()).toBe(true);
});

test("where tmux is missing, the command that installs it is named, and nothing is installed unasked, also not as root", async () => {
  await using factory = await makeFactory({ config: SCRIPT_AGENT });
  const [bin, calls] = [join(factory.root, "bin"), join(factory.root, "calls")];
  mkdirSync(bin);
  // Everything that a machine has but tmux; each installer only notes that it was called.
  for (const folder of ["/usr/local/bin", "/usr/bin", "/bin"]) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const isThere = lstatSync(join(bin, name), { throwIfNoEntry: false }) !== undefined;
      if (name !== "tmux" && !isThere) symlinkSync(join(folder, name), join(bin, name));
    }
  }
  for (const name of ["apt-get", "apt", "dnf", "yum", "apk", "brew", "sudo"]) {
    rmSync(join(bin, name), { force: true });
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n`, { mode: 0o755 });
  }
  factory.env["PATH"] = bin;
  for (const words of [["run"], ["up"], ["demo"]]) {
    const { code, stderr } = await factory.pawl(...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining("tmux is not installed")]);
    expect(stderr).toContain("apt-get install tmux`");
  }
  expect(existsSync(calls)).toBe(false);
});

test("--version says which build runs", async () => {
  await using factory = await makeFactory({ fromSources: true });
  const commit = factory.gitIn(CHECKOUT, "rev-parse", "--short=10", "HEAD");
  expect(await factory.ok("--version")).toMatch(
    new RegExp(
      `^\\d+\\.\\d+\\.\\d+ \\(commit ${commit}(?:, changed)?, checkout ${CHECKOUT}, Node 2`,
    ),
  );
});

const inTemp = (factory: Factory): string => factory.env["TMPDIR"] ?? "";
const demosOf = (factory: Factory): string[] =>
  readdirSync(inTemp(factory)).filter((name) => name.startsWith("pawl-demo-"));

test("Ctrl-C on a demo ends its agents, and demo --clean removes every trace", async () => {
  await using factory = await makeFactory({ fromSources: true });
  const demo = factory.background("demo");
  await factory.until("an agent works", async () => demo.output().includes("agent at work"));
  const busy = await factory.pawl("demo", "--clean");
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("still runs")]);

  demo.kill("SIGINT");
  const ended = await demo.ended;
  expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining("no agent is left")]);
  expect(ended.stderr).toContain("demo --clean");
  await factory.nothingLeft();

  const [folder = ""] = demosOf(factory).map((name) => join(inTemp(factory), name));
  // As a run that was killed leaves it.
  symlinkSync(join(folder, "home/phase"), join(inTemp(factory), "dev-session-demo-1.phase"));
  // As an agent program leaves it that keeps files by the path that it worked in.
  const ofAgent = join(inTemp(factory), `agent-${userInfo().uid}`);
  mkdirSync(join(ofAgent, `${folder.replaceAll(/[^a-zA-Z0-9]/g, "-")}-home`), { recursive: true });
  const cleaned = await factory.pawl("demo", "--clean");
  expect([cleaned.code, cleaned.stdout]).toEqual([0, `removed ${folder}\n`]);
  expect(readdirSync(inTemp(factory))).toEqual([]);
  expect(existsSync(join(factory.env["XDG_RUNTIME_DIR"] ?? "", "pawl"))).toBe(false);
  const none = await factory.pawl("demo", "--clean");
  expect([none.code, none.stderr]).toEqual([0, "there is no demo to remove\n"]);
});
