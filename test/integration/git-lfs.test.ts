import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { copyLfsObject, pointersOfTree } from "../../src/adapters/git-cli/lfs-objects.ts";
import type { GitOptions } from "../../src/adapters/git-cli/context.ts";
import { createContext } from "../../src/adapters/git-cli/context.ts";
import type { Upstream } from "../../src/core/config.ts";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";
import { HAS_LFS, lfsServer, oidOf } from "../support/lfs-server.ts";

const branch = "pawl/1";
const ATTRIBUTES = "*.bin filter=lfs diff=lfs merge=lfs -text\n";

const objectOf = (dir: string, content: string): string => {
  const oid = oidOf(content);
  return join(dir, "lfs/objects", oid.slice(0, 2), oid.slice(2, 4), oid);
};

/** Not by a call that waits: the server may be in this process. */
const lfs = (project: GitProject, cwd: string, ...args: string[]) =>
  promisify(execFile)("git", ["lfs", ...args], {
    cwd,
    env: project.options.env as NodeJS.ProcessEnv,
  });

/** The target has `big.bin`; upstream has its content, on an LFS server where one is given. */
async function withLargeFile(
  kind: Upstream["kind"],
  server?: string,
  more: Partial<GitOptions> = {},
) {
  const project = gitProject(kind, more);
  await lfs(project, project.user, "install", "--local");
  project.commit(project.user, {
    ".gitattributes": ATTRIBUTES,
    "big.bin": "large\n",
    ...(server === undefined ? {} : { ".lfsconfig": `[lfs]\n\turl = ${server}\n` }),
  });
  if (kind === "remote") {
    await lfs(project, project.user, "push", "--all", "origin", "main");
    project.git(project.user, "push", "-q", "--no-verify", "origin", "main");
  }
  return project;
}

async function workspaceOf(project: GitProject) {
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target, identity: "dev-1" });
  const add = async (content: string): Promise<Commit> => {
    project.commit(workspace, { "new.bin": content });
    return (await project.pawl.fetchBranch({ workspace, branch, target })).head;
  };
  return { target, workspace, add };
}

const gateAt = (project: GitProject, commit: Commit) => ({
  commit,
  path: join(project.root, "gate"),
  keep: [],
  history: false,
});

test.skipIf(!HAS_LFS).each(["local", "remote"] as const)(
  "workspaces, gates and the target of a %s upstream have the large files",
  async (kind) => {
    using project = await withLargeFile(kind);
    const { target, workspace, add } = await workspaceOf(project);
    expect(project.read(workspace, "big.bin")).toBe("large\n");
    expect(project.git(workspace, "status", "--porcelain")).toBe("");
    const head = await add("added\n");
    expect(project.git(workspace, "show", "HEAD:new.bin")).toContain(oidOf("added\n"));
    const gate = gateAt(project, head);
    await project.pawl.checkout(gate);
    expect(project.read(gate.path, "big.bin")).toBe("large\n");
    expect(project.read(gate.path, "new.bin")).toBe("added\n");
    expect(await project.pawl.land({ candidate: head, expected: target })).toMatchObject({
      kind: "landed",
    });
    const upstream = kind === "local" ? join(project.user, ".git") : project.remote;
    expect(readFileSync(objectOf(upstream, "added\n"), "utf8")).toBe("added\n");
    const folder = kind === "local" ? project.user : gate.path;
    expect(project.read(folder, "new.bin")).toBe("added\n");
  },
);

test.skipIf(!HAS_LFS)(
  "a large file is fetched and pushed with the access of the hub, which no workspace has",
  async () => {
    await using server = await lfsServer();
    const header = "Authorization: Basic c2VjcmV0";
    using project = await withLargeFile("remote", server.url, {
      access: { url: server.url, header },
    });
    server.authorizations.clear();
    const { target, workspace, add } = await workspaceOf(project);
    const head = await add("added\n");
    await project.pawl.land({ candidate: head, expected: target });
    expect(server.objects.get(oidOf("added\n"))?.toString()).toBe("added\n");
    expect([...server.authorizations]).toEqual(["Basic c2VjcmV0"]);
    expect(project.read(workspace, ".git/config")).not.toContain("c2VjcmV0");
  },
);

test.skipIf(!HAS_LFS)(
  "the target does not move while a new large file cannot be pushed",
  async () => {
    const server = await lfsServer();
    using project = await withLargeFile("remote", server.url);
    const { target, add } = await workspaceOf(project);
    const head = await add("added\n");
    await server[Symbol.asyncDispose]();
    await expect(project.pawl.land({ candidate: head, expected: target })).rejects.toMatchObject({
      code: "upstream-unreachable",
      retryable: true,
    });
    expect(project.head(project.remote, "main")).toBe(target);
  },
);

test.skipIf(!HAS_LFS)("a branch's own .lfsconfig has no say where files come from", async () => {
  await using server = await lfsServer();
  using project = await withLargeFile("remote");
  const { workspace, target } = await workspaceOf(project);
  project.commit(workspace, { ".lfsconfig": `[lfs]\n\turl = ${server.url}\n`, "a.bin": "a\n" });
  const { head } = await project.pawl.fetchBranch({ workspace, branch, target });
  await project.pawl.checkout(gateAt(project, head));
  await project.pawl.pushBranch({ branch, head });
  expect([...server.authorizations]).toEqual([]);
  expect(existsSync(objectOf(project.remote, "a\n"))).toBe(true);
});

test.skipIf(!HAS_LFS).each(["a path", "a server"])(
  "a pointer whose content %s does not have makes the commit incomplete",
  async (kind) => {
    await using server = await lfsServer();
    using project = await withLargeFile("remote", kind === "a path" ? undefined : server.url);
    const { workspace, target, add } = await workspaceOf(project);
    const head = await add("added\n");
    rmSync(objectOf(join(workspace, ".git"), "added\n"));
    rmSync(objectOf(project.hub, "added\n"));
    await expect(restarted(project).checkout(gateAt(project, head))).rejects.toMatchObject({
      code: "checkout-incomplete",
      message: expect.stringContaining("some of its large files are missing"),
    });
    // Its author can work on it all the same; the file is a pointer.
    const path = project.workspace("dev-2");
    await restarted(project).prepareWorkspace({ path, branch, from: target });
    expect(project.read(path, "new.bin")).toContain(oidOf("added\n"));
  },
);

test.skipIf(!HAS_LFS)(
  "an earlier version that was committed and never fetched is kept when its workspace goes",
  async () => {
    using project = await withLargeFile("local");
    const { workspace } = await workspaceOf(project);
    await lfs(project, workspace, "install", "--local");
    const first = project.commit(workspace, { "new.bin": "first\n" });
    project.commit(workspace, { "new.bin": "second\n" });
    expect(existsSync(objectOf(project.hub, "first\n"))).toBe(false);
    const removal = await project.pawl.removeWorkspace({ path: workspace, identity: "dev-1" });
    expect(removal).toEqual({ kind: "removed" });
    expect(readFileSync(objectOf(project.hub, "first\n"), "utf8")).toBe("first\n");
    expect(project.git(project.hub, "cat-file", "-t", first)).toBe("commit");
  },
);

test.skipIf(!HAS_LFS)(
  "a workspace is rebuilt without a network once the hub has its files",
  async () => {
    const server = await lfsServer();
    using project = await withLargeFile("remote", server.url);
    const { target, workspace } = await workspaceOf(project);
    await server[Symbol.asyncDispose]();
    rmSync(workspace, { recursive: true });
    const again = restarted(project);
    await again.prepareWorkspace({ path: workspace, branch, from: target });
    expect(project.read(workspace, "big.bin")).toBe("large\n");
  },
);

test("an object that is not what its name says is not taken from a workspace", async () => {
  using project = gitProject("local");
  const [from, to] = [join(project.user, ".git"), project.hub];
  for (const content of ["right\n", "first\n"]) {
    mkdirSync(dirname(objectOf(from, content)), { recursive: true });
    writeFileSync(objectOf(from, content), content);
  }
  writeFileSync(objectOf(from, "first\n"), "forged\n");
  expect(await copyLfsObject({ oid: oidOf("right\n"), from, to })).toBe(true);
  expect(await copyLfsObject({ oid: oidOf("first\n"), from, to })).toBe(false);
  expect(await copyLfsObject({ oid: oidOf("absent\n"), from, to })).toBe(false);
  expect(readFileSync(objectOf(to, "right\n"), "utf8")).toBe("right\n");
  expect(existsSync(objectOf(to, "first\n"))).toBe(false);
});

test.skipIf(!HAS_LFS)(
  "a checkpoint holds a large file, and an untouched one is not a change",
  async () => {
    using project = await withLargeFile("remote");
    const { workspace, target } = await workspaceOf(project);
    const state = async () => project.pawl.fetchBranch({ workspace, branch, target });
    expect((await state()).dirty).toEqual([]);
    project.write(workspace, { "big.bin": "edited\n" });
    expect((await state()).dirty).toEqual(["big.bin"]);
    expect(await project.pawl.removeWorkspace({ path: workspace, identity: "dev-1" })).toEqual({
      kind: "removed",
    });
    const again = { path: workspace, branch, from: target, identity: "dev-1" };
    await restarted(project).prepareWorkspace(again);
    expect(project.read(workspace, "big.bin")).toBe("edited\n");
  },
);

test.skipIf(!HAS_LFS)(
  "a crash between a branch and its large files costs only the repeat",
  async () => {
    using project = await withLargeFile("remote");
    const { workspace, target } = await workspaceOf(project);
    project.commit(workspace, { "new.bin": "added\n" });
    // Git itself brings the content of files that are checked out, when it looks for changes.
    project.commit(workspace, { "new.bin": "changed\n" });
    const request = { workspace, branch, target };
    const dying = restarted(project, { crash: crashAt("git.branch.fetched") });
    await expect(dying.fetchBranch(request)).rejects.toThrow("git.branch.fetched");
    expect(existsSync(objectOf(project.hub, "added\n"))).toBe(false);
    await restarted(project).fetchBranch(request);
    expect(readFileSync(objectOf(project.hub, "added\n"), "utf8")).toBe("added\n");
  },
);

// A file of the kernel is a regular one that can be opened, and cannot be read at its beginning.
test.skipIf(process.platform !== "linux")(
  "an object that cannot be read leaves nothing behind",
  async () => {
    using project = gitProject("local");
    const [from, to] = [join(project.user, ".git"), project.hub];
    mkdirSync(join(from, "lfs/objects/me"), { recursive: true });
    symlinkSync("/proc/self", join(from, "lfs/objects/me/m"));
    await expect(copyLfsObject({ oid: "mem", from, to })).rejects.toThrow("EIO");
    expect(readdirSync(join(to, "lfs/objects/me/m"))).toEqual([]);
  },
);

test("a pointer is one file: the lines of two files are none", async () => {
  using project = gitProject("local");
  const version = "version https://git-lfs.github.com/spec/v1\n";
  const [real, alone] = [oidOf("real"), oidOf("alone")];
  project.commit(project.user, {
    "real.bin": `${version}ext-0-x sha256:${alone}\noid sha256:${real}\nsize 4\n`,
    "not-at-the-start": `\n${version}oid sha256:${alone}\nsize 5\n`,
  });
  // Git gives them in the order of the tree.
  const commit = project.commit(project.user, {
    "two-1": `${version}${"no oid follows\n".repeat(10)}`,
    "two-2": `${"x".repeat(50)}\noid sha256:${alone}\nsize 5\n`,
  });
  await project.pawl.fetchTarget();
  expect(await pointersOfTree(createContext(project.options), commit)).toEqual([real]);
});

test.skipIf(!HAS_LFS)("kept folders outlive a commit whose large files are missing", async () => {
  using project = await withLargeFile("remote");
  const { workspace, target, add } = await workspaceOf(project);
  const gate = { ...gateAt(project, target), keep: ["node_modules"] };
  await project.pawl.checkout(gate);
  project.write(gate.path, { "node_modules/left.js": "1\n" });
  const head = await add("added\n");
  rmSync(objectOf(join(workspace, ".git"), "added\n"));
  rmSync(objectOf(project.hub, "added\n"));
  await expect(project.pawl.checkout({ ...gate, commit: head })).rejects.toMatchObject({
    code: "checkout-incomplete",
  });
  await project.pawl.checkout(gate);
  expect(project.read(gate.path, "node_modules/left.js")).toBe("1\n");
});
