// Repositories as they are in the wild, end to end: an issue lands in each through the command a
// user types.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Factory } from "../support/pawl.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (name: string): string => `\`\`\`sh\necho ${name} > ${name}.txt\n\`\`\`\n`;

/** A bare copy of the repository as its remote. */
function addRemote(factory: Factory, name = "remote.git"): string {
  const remote = join(factory.root, name);
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", remote);
  return remote;
}

test.each(["local", "remote"])("an issue lands in a SHA-256 repository (%s)", async (kind) => {
  await using factory = await makeFactory({ config: CONFIG, env: { GIT_DEFAULT_HASH: "sha256" } });
  expect(factory.git("rev-parse", "HEAD")).toHaveLength(64);
  const upstream = kind === "local" ? factory.repo : addRemote(factory);
  await factory.addIssue({ title: "Add one", body: work("one") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(upstream, "show", "main:one.txt")).toBe("one");
  expect(factory.gitIn(upstream, "rev-parse", "main")).toHaveLength(64);
});

/** A library that the repository pins as `lib`, by the URL that .gitmodules has. */
function addSubmodule(factory: Factory, url: string): string {
  const lib = join(factory.root, "lib.git");
  const made = join(factory.root, "lib-work");
  mkdirSync(made);
  factory.gitIn(made, "init", "-q", "-b", "main");
  factory.gitIn(made, "config", "user.name", "Ada");
  factory.gitIn(made, "config", "user.email", "ada@example.org");
  factory.gitIn(made, "commit", "-q", "--allow-empty", "-m", "Begin");
  factory.shell('cd "$1" && echo pinned > value.txt && git add . && git commit -qm Value', made);
  factory.git("clone", "-q", "--bare", made, lib);
  factory.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib");
  factory.git("config", "-f", ".gitmodules", "submodule.lib.url", url);
  factory.shell('cd "$1" && echo newer > value.txt && git commit -qam Newer', made);
  factory.gitIn(made, "push", "-q", lib, "main");
  return lib;
}

test.each(["false", "true"])(
  "a submodule is in workspaces and gates as pinned, with history = %s",
  async (history) => {
    const gate = `[ci]\ncommand = "grep pinned lib/value.txt"\nhistory = ${history}\n`;
    await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${gate}${LIMITS}` });
    addSubmodule(factory, "../lib.git");
    factory.commit({}, "Use the library");
    const upstream = addRemote(factory);
    const body = "```sh\ncp lib/value.txt copy.txt\ngit -C lib rev-parse HEAD > at.txt\n```\n";
    await factory.addIssue({ title: "Copy it", body });
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(0);
    expect(factory.gitIn(upstream, "show", "main:copy.txt")).toBe("pinned");
    const pinned = factory.gitIn(upstream, "rev-parse", "main:lib");
    expect(factory.gitIn(upstream, "show", "main:at.txt")).toBe(pinned);
  },
);
