import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { gitProject } from "../support/git-project.ts";

const section = (name: string, path: string, url: string): string =>
  `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n`;

/** A commit on main of a repository that pins each path, and has this text as its .gitmodules. */
function pinned(
  project: GitProject,
  folder: string,
  { modules, pins }: { modules: string; pins: Record<string, string> },
): Commit {
  project.write(folder, { ".gitmodules": modules });
  const links = Object.entries(pins).flatMap(([path, commit]) => [
    "--cacheinfo",
    `160000,${commit},${path}`,
  ]);
  project.git(folder, "update-index", "--add", ".gitmodules", ...links);
  project.git(folder, "commit", "-q", "-m", "Pin");
  return project.head(folder);
}

function repository(project: GitProject, name: string): { path: string; commit: Commit } {
  const path = join(project.root, name);
  mkdirSync(path);
  project.git(path, "init", "-q", "-b", "main");
  return { path, commit: project.commit(path, { "value.txt": `${name}\n` }) };
}

const gate = (project: GitProject, commit: Commit) => ({
  commit,
  path: join(project.root, "gate"),
  keep: [],
  history: false,
});

/** A gate says why; a workspace is made all the same. */
async function expectIncomplete(project: GitProject, why: string): Promise<string> {
  const target = await project.pawl.fetchTarget();
  await expect(project.pawl.checkout(gate(project, target))).rejects.toMatchObject({
    code: "checkout-incomplete",
    message: expect.stringContaining(why),
  });
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch: "pawl/1", from: target });
  expect(project.read(path, "a.txt")).toBe("1\n");
  return path;
}

test("a gate does not run without submodules that are too deep", async () => {
  using project = gitProject("local");
  let inner = repository(project, "level-6");
  for (const level of [5, 4, 3, 2, 1]) {
    const outer = repository(project, `level-${level}`);
    const modules = section("in", "in", inner.path);
    const commit = pinned(project, outer.path, { modules, pins: { in: inner.commit } });
    inner = { path: outer.path, commit };
  }
  const modules = section("in", "in", inner.path);
  pinned(project, project.user, { modules, pins: { in: inner.commit } });
  const workspace = await expectIncomplete(project, "more than 5 levels");
  expect(project.read(workspace, "in/in/in/in/in/value.txt")).toBe("level-5\n");
  expect(existsSync(join(workspace, "in/in/in/in/in/in/value.txt"))).toBe(false);
});

test("a gate does not run with the first thousand submodules alone", async () => {
  using project = gitProject("local");
  const paths = Array.from({ length: 1001 }, (_, index) => `lib/${index}`);
  // None of them can be had: a workspace need not wait for a thousand.
  const modules = paths.map((path) => section(path, path, "ext::none")).join("");
  const pins = Object.fromEntries(paths.map((path) => [path, project.first]));
  pinned(project, project.user, { modules, pins });
  const workspace = await expectIncomplete(project, "1001 submodules");
  expect(readdirSync(join(workspace, "lib/0"))).toEqual([]);
});

test.each([
  ["at its beginning", "[broken\n"],
  ["after a submodule", `${section("lib", "lib", "ext::none")}[broken\n`],
])("a gate does not run where .gitmodules is broken %s", async (_, modules) => {
  using project = gitProject("local");
  pinned(project, project.user, { modules, pins: { lib: project.first } });
  const workspace = await expectIncomplete(project, "its .gitmodules cannot be read");
  expect(readdirSync(join(workspace, "lib"))).toEqual([]);
});

test("a branch can repair the .gitmodules of the target, and a broken one that pins nothing is no harm", async () => {
  using project = gitProject("local");
  pinned(project, project.user, { modules: "[broken\n", pins: { lib: project.first } });
  await project.pawl.fetchTarget();
  project.git(project.user, "switch", "-q", "-c", "repaired");
  project.git(project.user, "rm", "-q", "--cached", "lib");
  project.git(project.user, "commit", "-q", "-m", "Pin nothing");
  const nothing = project.head(project.user);
  const modules = section("lib", "lib", "ext::none");
  const named = pinned(project, project.user, { modules, pins: { lib: project.first } });
  project.git(project.hub, "fetch", "-q", project.user, "repaired:refs/heads/pawl/2");
  await project.pawl.checkout(gate(project, nothing));
  expect(project.read(project.root, "gate/a.txt")).toBe("1\n");
  await expect(project.pawl.checkout(gate(project, named))).rejects.toThrow(/does not fetch from/);
});

test.each([
  ["of one submodule", (url: string) => `${section("lib", "lib", "ext::none")}\turl = ${url}\n`],
  ["of one path", (url: string) => section("a", "lib", "ext::none") + section("b", "lib", url)],
])("the last URL %s counts, as for git", async (_, modules) => {
  using project = gitProject("local");
  const lib = repository(project, "library");
  const text = modules(lib.path);
  const commit = pinned(project, project.user, { modules: text, pins: { lib: lib.commit } });
  const clone = join(project.root, "clone");
  project.git(project.root, "clone", "-q", project.user, clone);
  project.git(clone, "submodule", "init");
  expect(project.git(clone, "config", "--get-regexp", "^submodule.*url")).toContain(lib.path);
  await project.pawl.fetchTarget();
  await project.pawl.checkout(gate(project, commit));
  expect(project.read(project.root, "gate/lib/value.txt")).toBe("library\n");
});
