// Large repositories, end to end, in a small size; `npm run bench -- large` has the real ones.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addHistory, addManyFiles } from "../support/large-repository.ts";
import type { Factory } from "../support/pawl.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const BODY = "```sh\necho one > one.txt\n```\n";

test.each(["local", "remote"])(
  "an issue lands in a repository of many files (%s)",
  async (kind) => {
    await using factory = await makeFactory({ config: CONFIG });
    await addManyFiles(factory, 3_000);
    const upstream = kind === "local" ? factory.repo : addRemote(factory);
    await land(factory, upstream);
    expect(
      factory.gitIn(upstream, "ls-tree", "-r", "--name-only", "main").split("\n"),
    ).toHaveLength(3_000 + ["one.txt", "pawl.toml", "test.sh"].length);
  },
);

test("an issue lands in a repository with much history", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await addHistory(factory, 20);
  const upstream = addRemote(factory);
  await land(factory, upstream);
  // The first commit, the versions and the landing.
  expect(factory.gitIn(upstream, "rev-list", "--count", "main")).toBe("22");
});

test("agents of a sparse project see only its folders, gates see all, and what lands keeps the rest", async () => {
  const sparse = '[workspace]\nsparse = ["in/deep"]\n';
  const gate = '[ci]\ncommand = "test -e out/c.txt && sh test.sh"\n';
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${gate}${LIMITS}${sparse}` });
  factory.commit({ "in/a.txt": "a\n", "in/deep/b.txt": "b\n", "out/c.txt": "c\n" });
  const body =
    "```sh\ntouch seen.txt\nfind . -path ./.git -prune -o -type f -print | sort > seen.txt\ngit add -A\n```\n";
  await factory.addIssue({ title: "List what is there", body });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  const seen = factory.git("show", "main:seen.txt").split("\n");
  expect(seen).toEqual(["./in/a.txt", "./in/deep/b.txt", "./pawl.toml", "./seen.txt", "./test.sh"]);
  expect(factory.git("show", "--name-status", "--format=", "main")).toBe("A\tseen.txt");
  expect(factory.git("show", "main:out/c.txt")).toBe("c");
});

function addRemote(factory: Factory): string {
  const remote = join(factory.root, "remote.git");
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", remote);
  return remote;
}

async function land(factory: Factory, upstream: string): Promise<void> {
  await factory.addIssue({ title: "Add one", body: BODY });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(upstream, "show", "main:one.txt")).toBe("one");
}

/** A git whose first such call says how far it is, and waits until the test lets it go on. */
function slowGit(factory: Factory, call: string, says: string): { letGo: () => void } {
  const folder = join(factory.root, "slow");
  const [begun, free] = [join(folder, "begun"), join(folder, "free")];
  mkdirSync(folder);
  const script = `#!/bin/sh
if [ "$1 $GIT_WORK_TREE" = "${call}" ] && mkdir ${begun} 2>/dev/null; then
  printf '${says}\\r' >&2
  while [ ! -e ${free} ]; do sleep 0.05; done
fi
PATH="\${PATH#*:}"
exec git "$@"
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  factory.env["PATH"] = `${folder}:${factory.env["PATH"]}`;
  return { letGo: () => writeFileSync(free, "") };
}

test("status, why and run tell how far a checkout and a fetch are", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Add one", body: BODY });
  const workspace = join(factory.home, "projects", factory.project, "workspaces", "dev-1.new");
  const call = `read-tree ${workspace}`;
  const { letGo } = slowGit(factory, call, "Updating files:  43%% (43/100)");
  const run = factory.background("run", "--until-idle");
  const shown = await factory.until("the progress", async () => {
    const { stdout } = await factory.pawl("status");
    return stdout.includes("43 %") && stdout;
  });
  expect(shown).toContain("making the workspace (checking out files, 43 %)");
  expect(await factory.ok("why", "1")).toContain("workspace: checking out files, 43 %");
  await factory.until("the line of `pawl run`", async () => run.output().includes("43 %"));
  letGo();
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("#1: checking out files, 43 %");
  expect(existsSync(join(factory.repo, "one.txt"))).toBe(true);
});

test("the first fetch of a repository tells how far it is", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  addRemote(factory);
  await factory.addIssue({ title: "Add one", body: BODY });
  const { letGo } = slowGit(
    factory,
    "fetch ",
    "Receiving objects:  12%% (12/100), 1 MiB | 1 MiB/s",
  );
  const run = factory.background("run", "--until-idle");
  await factory.until("the line of `pawl run`", async () => run.output().includes("12 %"));
  expect(await factory.ok("status")).toContain("repository: receiving objects, 12 %");
  letGo();
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
});
