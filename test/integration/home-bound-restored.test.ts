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
