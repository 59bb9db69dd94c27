// Pawl's own git inside walls, over workspaces that are odd: what is saved without walls is saved with them,
// and a link that leads out of the workspace neither stops a save nor adds anything to it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createBwrapWalls } from "../../src/adapters/walls-bwrap/bwrap-walls.ts";
import { gitApart } from "../../src/daemon/host/walls.ts";
import { gitProject, restartedBoth } from "../support/git-project.ts";
import { noWalls } from "../support/walls.ts";

const identity = "dev-1";
const ISOLATION = { mode: "bwrap", network: "none", tmpMb: 16 } as const;
const isolation = { ...ISOLATION, hosts: [], read: [], write: [], devices: [] };

async function prepared() {
  const project = gitProject("local");
  const workspace = project.workspace(identity);
  const walls = createBwrapWalls();
  const apart = gitApart({ isolation }, { workspaces: dirname(workspace), walls });
  const { git, checkpoints } = restartedBoth(project, { apart });
  const from = await git.fetchTarget();
  await git.prepareWorkspace({ path: workspace, branch: "pawl/1", from });
  const restored = join(project.root, "restored");
  /** Saves the workspace, and answers a folder with what was saved. */
  const saved = async (): Promise<string> => {
    const outcome = await git.checkpoint({ workspace, identity, reason: "test" });
    if (outcome.kind === "absent") throw new Error("nothing was saved");
    rmSync(restored, { recursive: true, force: true });
    await checkpoints.restoreTo({ commit: outcome.commit, path: restored });
    return restored;
  };
  return { ...project, workspace, saved, pawl: git };
}

test.skipIf(noWalls)("repositories inside are saved, also where a name is not UTF-8", async () => {
  using at = await prepared();
  const odd = Buffer.concat([Buffer.from(`${at.workspace}/caf`), Buffer.from([0xe9])]);
  mkdirSync(odd);
  mkdirSync(join(at.workspace, "inner"));
  const make =
    'for folder in "$1"/caf* "$1"/inner; do cd "$folder" && git init -q && echo x > work; done';
  execFileSync("sh", ["-c", make, "-", at.workspace]);
  const path = await at.saved();
  const inner = Buffer.concat([
    Buffer.from(`${path}/caf`),
    Buffer.from([0xe9]),
    Buffer.from("/work"),
  ]);
  expect(readFileSync(inner, "utf8")).toBe("x\n");
  expect(at.read(path, "inner/work")).toBe("x\n");
});

test.skipIf(noWalls)("links to files and folders of others are saved as links", async () => {
  using at = await prepared();
  at.write(join(at.root, "precious"), { "a.txt": "private\n", exclude: "*.txt\n" });
  symlinkSync(join(at.root, "precious"), join(at.workspace, "folder"));
  rmSync(join(at.workspace, ".git/info/exclude"), { force: true });
  mkdirSync(join(at.workspace, ".git/info"), { recursive: true });
  symlinkSync(join(at.root, "precious/exclude"), join(at.workspace, ".git/info/exclude"));
  at.write(at.workspace, { "work.txt": "work\n" });
  const path = await at.saved();
  expect(at.read(path, "work.txt")).toBe("work\n");
  expect(readlinkSync(join(path, "folder"))).toBe(join(at.root, "precious"));
});

test.skipIf(noWalls)(
  "a branch is fetched, and a failure names the git that failed alone",
  async () => {
    using at = await prepared();
    const head = at.commit(at.workspace, { "work.txt": "work\n" });
    const request = { workspace: at.workspace, branch: "pawl/1", target: at.first };
    expect(await at.pawl.fetchBranch(request)).toMatchObject({ head, ahead: 1, dirty: [] });
    at.commit(at.workspace, { "work.txt": "more\n" });
    rmSync(join(at.workspace, ".git/objects"), { recursive: true });
    const failed = at.pawl.fetchBranch(request);
    await expect(failed).rejects.toThrow(/cannot fetch|fetch pawl\/1/);
    await expect(failed).rejects.not.toThrow(/bwrap/);
  },
);
