// What a person has restored borrows from the hub, wherever it lies: making room must not break it.
import { join } from "node:path";
import { expect, test } from "vitest";
import { boundHome } from "../../src/daemon/host/bound-home.ts";
import { boundPlace } from "../support/bound-place.ts";
import { gitProject } from "../support/git-project.ts";

const DAY_MS = 86_400_000;

test("a folder restored from landed work keeps its commits when room is made days later", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const [workspace, identity] = [project.workspace("dev-1"), "dev-1"];
  await project.pawl.prepareWorkspace({ path: workspace, branch: "pawl/1", from });
  project.commit(workspace, { "n.txt": "1\n" }, "The work");
  project.write(workspace, { "u.txt": "1\n" });
  const saved = await project.pawl.checkpoint({ workspace, identity, reason: "test" });
  if (saved.kind === "absent") throw new Error("nothing was saved");
  await project.pawl.removeWorkspace({ path: workspace, identity });
  await project.checkpoints.archive({ identity, at: Date.now() });
  const path = join(project.root, "elsewhere", "restored");
  await project.checkpoints.restoreTo({ commit: saved.commit, path });
  const clock = { now: () => Date.now() + 5 * DAY_MS };
  const { place, bound } = await boundPlace(project.root, project.checkpoints, clock);
  bound(1);
  await boundHome(place);
  expect(project.git(project.hub, "for-each-ref", "refs/pawl/landed/")).toBe("");
  expect(project.git(path, "log", "--format=%s", "-1")).toBe("The work");
  expect(project.git(path, "status", "--porcelain")).toBe("?? u.txt");
  expect(project.git(path, "fsck", "--connectivity-only")).not.toContain("missing");
});

test("it keeps them, what is staged and what is stashed for longer than the hub keeps what nothing names", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const [workspace, identity] = [project.workspace("dev-1"), "dev-1"];
  await project.pawl.prepareWorkspace({ path: workspace, branch: "pawl/1", from });
  project.commit(workspace, { "n.txt": "1\n" }, "The work");
  project.write(workspace, { "a.txt": "stashed\n" });
  project.git(workspace, "stash");
  project.write(workspace, { "s.txt": "staged\n" });
  project.git(workspace, "add", "s.txt");
  project.write(workspace, { "s.txt": "and changed again\n" });
  const saved = await project.pawl.checkpoint({ workspace, identity, reason: "test" });
  if (saved.kind === "absent") throw new Error("nothing was saved");
  await project.pawl.removeWorkspace({ path: workspace, identity });
  await project.checkpoints.archive({ identity, at: Date.now() });
  const path = join(project.root, "elsewhere", "restored");
  await project.checkpoints.restoreTo({ commit: saved.commit, path });
  // The target that it stands on is replaced by another history.
  project.git(project.user, "checkout", "-q", "--orphan", "other");
  project.commit(project.user, { "o.txt": "1\n" }, "Another history");
  project.git(project.user, "branch", "-M", "other", "main");
  await project.pawl.fetchTarget();
  const now = Date.now() + 40 * DAY_MS;
  await project.checkpoints.thin({ now, landedMaxMs: DAY_MS });
  await project.checkpoints.tidy({ now, sweep: true });
  expect(project.git(project.hub, "for-each-ref", "refs/pawl/landed/")).toBe("");
  expect(() => project.git(project.hub, "cat-file", "-e", saved.commit)).toThrow("Command failed");
  expect(project.git(path, "log", "--format=%s")).toBe("The work\nfirst");
  expect(project.git(path, "show", ":s.txt")).toBe("staged");
  expect(project.git(path, "show", "stash@{0}:a.txt")).toBe("stashed");
  expect(project.git(path, "fsck", "--connectivity-only")).not.toContain("missing");
});

test("a repository inside a restored folder, and one inside that, keep their commits as long", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const [workspace, identity] = [project.workspace("dev-1"), "dev-1"];
  await project.pawl.prepareWorkspace({ path: workspace, branch: "pawl/1", from });
  const nested = ["inner", "inner/deep"];
  for (const name of nested) {
    project.git(workspace, "init", "-q", "-b", "own", name);
    project.commit(join(workspace, name), { "n.txt": `${name}\n` }, `Work in ${name}`);
    project.write(join(workspace, name), { "staged.txt": "1\n" });
    project.git(join(workspace, name), "add", "staged.txt");
  }
  const saved = await project.pawl.checkpoint({ workspace, identity, reason: "test" });
  if (saved.kind === "absent") throw new Error("nothing was saved");
  await project.pawl.removeWorkspace({ path: workspace, identity });
  await project.checkpoints.archive({ identity, at: Date.now() });
  const path = join(project.root, "elsewhere", "restored");
  await project.checkpoints.restoreTo({ commit: saved.commit, path });
  const now = Date.now() + 40 * DAY_MS;
  await project.checkpoints.thin({ now, landedMaxMs: DAY_MS });
  await project.checkpoints.tidy({ now, sweep: true });
  expect(() => project.git(project.hub, "cat-file", "-e", saved.commit)).toThrow("Command failed");
  for (const name of nested) {
    const inside = join(path, name);
    expect(project.git(inside, "log", "--format=%s")).toBe(`Work in ${name}`);
    expect(project.git(inside, "show", ":staged.txt")).toBe("1");
    expect(project.git(inside, "fsck", "--connectivity-only")).not.toContain("missing");
  }
});
