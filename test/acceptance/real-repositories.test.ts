// Repositories as they are in the wild, end to end: an issue lands in each through the command a
// user types, inside walls where they can be had, as `pawl init` would have it.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { HAS_LFS, lfsServer, oidOf } from "../support/lfs-server.ts";
import type { Factory } from "../support/pawl.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { addSubmodule } from "../support/submodule.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const REST = `${LIMITS}${noWalls ? "" : WALLS}`;
const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${REST}`;
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

test.each(["false", "true"])(
  "a submodule is in workspaces and gates as pinned, with history = %s",
  async (history) => {
    const gate = `[ci]\ncommand = "grep pinned lib/value.txt"\nhistory = ${history}\n`;
    await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${gate}${REST}` });
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

/** What Debian's git-lfs writes into /etc/gitconfig. */
const SYSTEM_FILTER = `[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
`;

test.skipIf(!HAS_LFS)(
  "an issue lands in a repository with Git LFS: agents and gates have the files, the server gets the new ones first",
  async () => {
    await using server = await lfsServer();
    const gate = '[ci]\ncommand = "grep -q old big.bin && ! grep -q git-lfs *.bin"\n';
    await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${gate}${REST}` });
    writeFileSync(join(factory.root, "gitconfig"), SYSTEM_FILTER);
    factory.env["GIT_CONFIG_NOSYSTEM"] = "0";
    factory.env["GIT_CONFIG_SYSTEM"] = join(factory.root, "gitconfig");
    const files = {
      ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
      ".lfsconfig": `[lfs]\n\turl = ${server.url}\n`,
      "big.bin": "old content\n",
    };
    factory.commit(files, "Large files");
    expect(factory.git("show", "HEAD:big.bin")).toContain("git-lfs.github.com/spec");
    const upstream = addRemote(factory);
    // Not by a call that waits: the server is in this process.
    const all = ["lfs", "push", "--all", "origin", "main"];
    await promisify(execFile)("git", all, { cwd: factory.repo, env: factory.env });
    expect([...server.objects.keys()]).toEqual([oidOf("old content\n")]);

    const body = "```sh\ngrep -q old big.bin && echo new content > new.bin\n```\n";
    await factory.addIssue({ title: "Add a large file", body });
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(0);
    const pointer = factory.gitIn(upstream, "show", "main:new.bin");
    expect(pointer).toContain(`oid sha256:${oidOf("new content\n")}`);
    expect([...server.objects.keys()]).toContain(oidOf("new content\n"));
  },
);

test("a repository with Git LFS is refused with a clear line where git-lfs is missing", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const hash = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
  factory.commit({
    ".gitattributes": "assets/*.bin filter=lfs -text\n",
    "assets/big.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize 12345\n`,
  });
  factory.env["PATH"] = withoutLfs(factory);
  await factory.addIssue({ title: "Add one", body: work("one") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code).toBe(1);
  expect(stderr).toContain("asks for Git LFS, and git-lfs is not installed");
  expect(stderr).toContain("install git-lfs");
});

/** The programs of this machine as links in one folder, all but git-lfs. */
function withoutLfs(factory: Factory): string {
  const folder = join(factory.root, "bin");
  mkdirSync(folder);
  const script =
    'for d in $(echo "$PATH" | tr : " "); do ln -s "$d"/* "$1"/ 2>/dev/null; done; rm -f "$1/git-lfs"';
  factory.shell(script, folder);
  return folder;
}
