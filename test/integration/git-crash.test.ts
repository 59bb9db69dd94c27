// Crash points of git that no other file here covers, and the proof that every one is covered.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";

test("every crash point of the git adapter is crashed at by a test", () => {
  const textOf = (pattern: string): string =>
    globSync(pattern)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
  const points = [...textOf("src/adapters/git-cli/*.ts").matchAll(/crash\("(?<name>[^"]+)"\)/g)];
  const names = new Set(points.map((match) => match.groups?.["name"] ?? ""));
  const tests = textOf("test/integration/git-*.test.ts");
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !tests.includes(`"${name}"`))).toEqual([]);
});

test.each(["git.hub.initialised", "git.hub.configured", "git.target.fetched"])(
  "a hub left by a crash at %s is completed",
  async (point) => {
    using project = gitProject("local");
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.fetchTarget()).rejects.toThrow(point);
    expect(await restarted(project).fetchTarget()).toBe(project.first);
    expect(project.git(project.hub, "config", "receive.hideRefs")).toBe("refs/");
  },
);

test.each(["git.branch.before-fetch", "git.branch.fetched"])(
  "a branch is in the hub after a crash at %s and a repeat",
  async (point) => {
    using project = gitProject("local");
    const target = await project.pawl.fetchTarget();
    const workspace = project.workspace(identity);
    await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
    const head = project.commit(workspace, { "n.txt": "1\n" });
    const request = { workspace, branch, target };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.fetchBranch(request)).rejects.toThrow(point);
    expect((await restarted(project).fetchBranch(request)).head).toBe(head);
    expect(project.head(project.hub, branch)).toBe(head);
  },
);

test.each(["git.candidate.built", "git.candidate.kept"])(
  "a candidate is the same after a crash at %s",
  async (point) => {
    using project = gitProject("local");
    const onto = await project.pawl.fetchTarget();
    const workspace = project.workspace(identity);
    await project.pawl.prepareWorkspace({ path: workspace, branch, from: onto });
    project.commit(workspace, { "n.txt": "1\n" });
    const { head } = await project.pawl.fetchBranch({ workspace, branch, target: onto });
    const heads = [{ branch, head, message: "" }];
    const request = { onto, heads, strategy: "merge" as const, ref: "1" };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.buildCandidate(request)).rejects.toThrow(point);
    const built = await restarted(project).buildCandidate(request);
    expect(built).toEqual(await project.pawl.buildCandidate(request));
    expect(project.git(project.hub, "log", "-1", "--format=%s", "refs/pawl/queue/1")).toBe(
      "Merge branch 'pawl/1'",
    );
  },
);

test.each(["git.workspace.files-restored"])(
  "a workspace whose rebuilding crashed at %s is rebuilt",
  async (point) => {
    using project = gitProject("local");
    const from = await project.pawl.fetchTarget();
    const path = project.workspace(identity);
    await project.pawl.prepareWorkspace({ path, branch, from });
    project.write(path, { "u.txt": "untracked\n" });
    const saved = await project.pawl.checkpoint({ workspace: path, identity, reason: "test" });
    if (saved.kind === "absent") throw new Error("nothing was saved");
    await project.pawl.removeWorkspace({ path, identity: "dev-1" });
    const request = { path, branch, from, checkpoint: saved.commit };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.prepareWorkspace(request)).rejects.toThrow(point);
    expect((await restarted(project).prepareWorkspace(request)).found).toBe(false);
    expect(project.read(path, "u.txt")).toBe("untracked\n");
  },
);

test("a branch of the user's is in the hub after a crash at git.adopt.fetched and a repeat", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  project.git(project.user, "branch", "mine");
  const dying = restarted(project, { crash: crashAt("git.adopt.fetched") });
  await expect(dying.adoptBranches({ branches: ["mine"] })).rejects.toThrow("git.adopt.fetched");
  const adopted = (await restarted(project).adoptBranches({ branches: ["mine"] }))[0];
  expect(adopted).toMatchObject({ head: project.first, from: "upstream" });
});
