// An agent puts FIFOs in the place of git's own files: nothing waits for them, the files of the
// workspace are saved all the same, and the next workspace is made from the checkpoint.
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { gitProject } from "../support/git-project.ts";

const branch = "pawl/1";
const PLACES = [
  "HEAD",
  "index",
  "config",
  "packed-refs",
  "logs/refs/stash",
  "pawl-complete",
  "refs/heads/pawl/1",
  "info/exclude",
  "objects/info/alternates",
  "objects/pack/pack-1.idx",
];

test.each(PLACES)("a FIFO at .git/%s is never waited for", async (place) => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  const target = from;
  project.commit(path, { "n.txt": "1\n" });
  await project.pawl.checkpoint({ workspace: path, identity: "dev-1", reason: "before" });
  project.write(path, { "important.txt": "work\n" });
  const file = join(path, ".git", place);
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  execFileSync("mkfifo", [file]);

  const saved = await project.pawl.checkpoint({
    workspace: path,
    identity: "dev-1",
    reason: "test",
  });
  const commit = saved.kind === "saved" ? saved.commit : "none";
  await expect(project.pawl.fetchBranch({ workspace: path, branch, target })).rejects.toMatchObject(
    {
      code: "repository-irregular",
      message: expect.stringContaining(file),
    },
  );
  await project.pawl.summary({ workspace: path, base: from });
  const again = await project.pawl.prepareWorkspace({ path, branch, from, identity: "dev-1" });
  expect(again.found).toBe(false);
  expect(project.read(path, "n.txt")).toBe("1\n");
  // What came after the last whole checkpoint is in the folder that was moved aside, and saved.
  expect(project.read(`${path}.aside-1`, "important.txt")).toBe("work\n");
  expect(project.git(project.hub, "show", `${commit}:important.txt`)).toBe("work");
});

const NAMES = [".gitignore", ".gitattributes"];

test.each(NAMES)("a FIFO named %s in a folder of the work tree holds no git", async (name) => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  project.write(path, { "sub/deep/important.txt": "work\n", ".gitignore": "cache\n" });
  execFileSync("mkfifo", [join(path, "sub", name), join(path, "sub", "deep", name)]);

  const request = { workspace: path, identity: "dev-1", reason: "test" };
  const saved = await project.pawl.checkpoint(request);
  const commit = saved.kind === "saved" ? saved.commit : "none";
  expect(project.git(project.hub, "show", `${commit}:sub/deep/important.txt`)).toBe("work");
  const fetched = await project.pawl.fetchBranch({ workspace: path, branch, target: from });
  expect(fetched).toMatchObject({ dirty: [".gitignore", "sub/deep/important.txt"] });
  const removed = await project.pawl.removeWorkspace({ path, identity: "dev-1" });
  expect(removed).toMatchObject({ kind: "removed" });
});

test("a FIFO that a process holds open ends the save with its name, not after half an hour", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  project.write(path, { "sub/important.txt": "work\n" });
  const pipe = join(path, "sub", ".gitattributes");
  execFileSync("mkfifo", [pipe]);
  const held = openSync(pipe, constants.O_RDWR);
  try {
    const request = { workspace: path, identity: "dev-1", reason: "test" };
    await expect(project.pawl.checkpoint(request)).rejects.toMatchObject({
      code: "workspace-irregular",
      message: expect.stringContaining(pipe),
    });
  } finally {
    closeSync(held);
  }
});
