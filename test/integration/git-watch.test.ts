// A workspace reports that it may have changed: for every kind of change in it, and for no other.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { gitProject, type GitProject } from "../support/git-project.ts";

const branch = "pawl/1";

async function watched(project: GitProject) {
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from });
  project.commit(workspace, { ".gitignore": "deps/\n" });
  mkdirSync(join(workspace, "deps", "deep"), { recursive: true });
  await project.pawl.checkpoint({ workspace, identity: "dev-1", reason: "test" });
  let told = 0;
  let wake: () => void = () => undefined;
  const watch = project.checkpoints.watch({
    workspace,
    onChange: () => {
      told += 1;
      wake();
    },
  });
  /** True when it is told after `act`; a test that is never told runs into its time-out. */
  const after = async (act: () => void): Promise<boolean> => {
    await quiet();
    const next = new Promise<boolean>((resolve) => (wake = () => resolve(true)));
    act();
    return next;
  };
  /** Waits until nothing has been said for a while: events of one act come in a row. */
  const quiet = async (): Promise<number> => {
    for (let before = -1; before !== told || told === 0;) {
      before = told;
      await wait(250);
    }
    return told;
  };
  return { workspace, after, quiet, told: () => told, [Symbol.dispose]: () => watch.close() };
}

test("changed, new, renamed, deleted and committed files are noticed, at any depth", async () => {
  using project = gitProject("local");
  using world = await watched(project);
  const { workspace, after } = world;
  const at = (...path: string[]): string => join(workspace, ...path);
  expect(await after(() => writeFileSync(at("dir", "c.txt"), "2\n"))).toBe(true);
  expect(await after(() => writeFileSync(at("new.txt"), "1\n"))).toBe(true);
  expect(await after(() => renameSync(at("new.txt"), at("other.txt")))).toBe(true);
  expect(await after(() => rmSync(at("other.txt")))).toBe(true);
  expect(await after(() => mkdirSync(at("far", "down", "below"), { recursive: true }))).toBe(true);
  expect(await after(() => writeFileSync(at("far", "down", "below", "n.txt"), "1\n"))).toBe(true);
  expect(
    await after(() => project.git(workspace, "commit", "-q", "--allow-empty", "-m", "x")),
  ).toBe(true);
  // A folder of the same name is another one.
  expect(await after(() => rmSync(at("far"), { recursive: true }))).toBe(true);
  expect(await after(() => mkdirSync(at("far", "down"), { recursive: true }))).toBe(true);
  expect(await after(() => writeFileSync(at("far", "down", "n.txt"), "1\n"))).toBe(true);
});

test("ignored folders and a checkpoint itself are no change", async () => {
  using project = gitProject("local");
  using world = await watched(project);
  const { workspace, quiet } = world;
  const before = await quiet();
  writeFileSync(join(workspace, "deps", "deep", "x.txt"), "1\n");
  await project.pawl.checkpoint({ workspace, identity: "dev-1", reason: "again" });
  expect(await quiet()).toBe(before);
});
