import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitId, type Commit } from "../../src/core/ids.ts";
import type { GitOptions } from "../../src/adapters/git-cli/context.ts";
import { createContext } from "../../src/adapters/git-cli/context.ts";
import { submoduleHub } from "../../src/adapters/git-cli/submodule-hub.ts";
import { submodulesOf } from "../../src/adapters/git-cli/submodules.ts";
import type { Upstream } from "../../src/core/config.ts";
import { freePort } from "../../src/adapters/shared/free-port.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";

/** A repository beside the project, with one commit; its path and that commit. */
function library(project: GitProject, name: string): { path: string; commit: Commit } {
  const path = join(project.root, name);
  mkdirSync(path);
  project.git(path, "init", "-q", "-b", "main");
  project.git(path, "config", "uploadpack.allowAnySHA1InWant", "true");
  return { path, commit: project.commit(path, { "value.txt": `${name}\n` }) };
}

/** Pins a commit in a folder's repository, by the URL that is written there. */
function pin(
  project: GitProject,
  folder: string,
  { at, url, commit }: { at: string; url: string; commit: string },
): Commit {
  project.git(folder, "config", "-f", ".gitmodules", `submodule.${at}.path`, at);
  project.git(folder, "config", "-f", ".gitmodules", `submodule.${at}.url`, url);
  project.git(folder, "update-index", "--add", "--cacheinfo", `160000,${commit},${at}`);
  project.git(folder, "add", ".gitmodules");
  project.git(folder, "commit", "-q", "-m", `Pin ${at}`);
  return project.head(folder);
}

/** The target pins `lib` by a relative URL. */
function withLibrary(kind: Upstream["kind"], more: Partial<GitOptions> = {}) {
  const project = gitProject(kind, more);
  const lib = library(project, "lib");
  pin(project, project.user, { at: "lib", url: "../lib", commit: lib.commit });
  if (kind === "remote") project.git(project.user, "push", "-q", "origin", "main");
  return { project, lib };
}

async function workspaceOf(project: GitProject, pawl = project.pawl) {
  const target = await pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await pawl.prepareWorkspace({ path: workspace, branch, from: target, identity: "dev-1" });
  return { target, workspace };
}

const gate = (project: GitProject, commit: Commit, history = false) => ({
  commit,
  path: join(project.root, "gate"),
  keep: [],
  history,
});

test.each(["local", "remote"] as const)(
  "a submodule is in a workspace as a repository of its own (%s)",
  async (kind) => {
    const { project, lib } = withLibrary(kind);
    using _ = project;
    const newer = project.commit(lib.path, { "value.txt": "newer\n" });
    const { workspace } = await workspaceOf(project);
    const inside = join(workspace, "lib");
    expect(project.read(inside, "value.txt")).toBe("lib\n");
    expect(project.git(workspace, "status", "--porcelain")).toBe("");
    expect(project.git(workspace, "submodule", "status")).toMatch(`${lib.commit} lib`);
    project.git(workspace, "submodule", "update", "--init");
    // A cache that was filled before the newer commit gives the branches of that time.
    project.git(inside, "fetch", "-q");
    expect(project.git(inside, "rev-parse", "origin/main")).toBe(newer);
    // Where it really comes from is not for agents: the URL may hold a password.
    for (const folder of [workspace, inside]) {
      expect(project.read(folder, ".git/config")).not.toContain(lib.path);
    }
    expect(() => project.git(inside, "push", "origin", "HEAD:x")).toThrow(/push is disabled/);
  },
);

test.each([true, false])(
  "a gate has submodules inside submodules (history: %s)",
  async (history) => {
    using project = gitProject("remote");
    const inner = library(project, "inner");
    const outer = library(project, "outer");
    const pinned = pin(project, outer.path, { at: "in", url: "../inner", commit: inner.commit });
    pin(project, project.user, { at: "deep/outer", url: outer.path, commit: pinned });
    project.git(project.user, "push", "-q", "origin", "main");
    const target = await project.pawl.fetchTarget();
    const request = gate(project, target, history);
    await project.pawl.checkout(request);
    expect(project.read(request.path, "deep/outer/value.txt")).toBe("outer\n");
    expect(project.read(request.path, "deep/outer/in/value.txt")).toBe("inner\n");
    expect(existsSync(join(request.path, "deep/outer/.git"))).toBe(history);
    // A second time, and without the repositories: the hub has them.
    for (const path of [inner.path, outer.path])
      project.git("/", "-C", path, "branch", "-m", "gone");
    await restarted(project).checkout(request);
    expect(project.read(request.path, "deep/outer/in/value.txt")).toBe("inner\n");
  },
);

test("a crash after a submodule was fetched costs only the repeat", async () => {
  const { project } = withLibrary("remote");
  using _ = project;
  const dying = restarted(project, { crash: crashAt("git.submodule.fetched") });
  await expect(workspaceOf(project, dying)).rejects.toThrow("git.submodule.fetched");
  const { workspace } = await workspaceOf(project, restarted(project));
  expect(project.read(workspace, "lib/value.txt")).toBe("lib\n");
});

test("`submodules = false` leaves the folders empty", async () => {
  const { project } = withLibrary("remote", {
    config: { sign: false, author: undefined, submodules: false },
  });
  using _ = project;
  const { workspace, target } = await workspaceOf(project);
  expect(existsSync(join(workspace, "lib/value.txt"))).toBe(false);
  await project.pawl.checkout(gate(project, target));
  expect(existsSync(join(project.root, "gate/lib/value.txt"))).toBe(false);
});

test("without a remote, a commit that only the user's clone of the submodule has is found", async () => {
  const { project, lib } = withLibrary("local");
  using _ = project;
  project.git(
    project.user,
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "-q",
    "update",
    "--init",
  );
  const own = project.commit(join(project.user, "lib"), { "value.txt": "unpushed\n" });
  project.git(project.user, "commit", "-q", "-a", "-m", "Pin what is only here");
  expect(own).not.toBe(lib.commit);
  const { workspace } = await workspaceOf(project);
  expect(project.read(workspace, "lib/value.txt")).toBe("unpushed\n");
});

test("what an agent does inside a submodule is saved, committed or not, and comes back", async () => {
  const { project } = withLibrary("remote");
  using _ = project;
  const { workspace, target } = await workspaceOf(project);
  const inside = join(workspace, "lib");
  const own = project.commit(inside, { "more.txt": "committed\n" });
  project.write(inside, { "value.txt": "edited\n", "new.txt": "untracked\n" });
  const save = { workspace, identity: "dev-1", reason: "test" };
  expect(await project.pawl.checkpoint(save)).toMatchObject({ kind: "saved", skipped: [] });
  expect(await project.pawl.removeWorkspace({ path: workspace, identity: "dev-1" })).toEqual({
    kind: "removed",
  });
  const again = { path: workspace, branch, from: target, identity: "dev-1" };
  await restarted(project).prepareWorkspace(again);
  expect(project.head(inside)).toBe(own);
  expect(project.read(inside, "value.txt")).toBe("edited\n");
  expect(project.read(inside, "new.txt")).toBe("untracked\n");
  expect(project.git(inside, "status", "--porcelain")).toContain("?? new.txt");
});

test("a commit inside a submodule that is not pinned is named as not committed", async () => {
  const { project } = withLibrary("remote");
  using _ = project;
  const { workspace, target } = await workspaceOf(project);
  project.commit(join(workspace, "lib"), { "more.txt": "1\n" });
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(state.dirty).toEqual(["lib"]);
});

test("a pinned commit that its repository does not have is the commit's fault, and says so", async () => {
  const { project } = withLibrary("remote");
  using _ = project;
  const { workspace, target } = await workspaceOf(project);
  const own = project.commit(join(workspace, "lib"), { "more.txt": "1\n" });
  project.git(workspace, "commit", "-q", "-a", "-m", "Pin what is only here");
  const { head } = await project.pawl.fetchBranch({ workspace, branch, target });
  await expect(project.pawl.checkout(gate(project, head))).rejects.toMatchObject({
    code: "checkout-incomplete",
    message: expect.stringMatching(`submodule lib at ${own}: .*lib has no such commit`),
  });
  // Its author can continue to use it.
  const path = project.workspace("dev-2");
  await project.pawl.prepareWorkspace({ path, branch, from: target });
  expect(project.head(path)).toBe(head);
});

/** A branch that pins something by a URL that the target does not have. */
async function hostile(project: GitProject, url: string, commit: string) {
  const { workspace, target } = await workspaceOf(project);
  pin(project, workspace, { at: "evil", url, commit });
  return (await project.pawl.fetchBranch({ workspace, branch, target })).head;
}

test.each(["file://{secret}", "{secret}", "../secret"])(
  "a branch cannot make Pawl read a repository of this machine: %s",
  async (written) => {
    using project = gitProject("remote");
    const secret = library(project, "secret");
    const head = await hostile(project, written.replace("{secret}", secret.path), secret.commit);
    await expect(project.pawl.checkout(gate(project, head))).rejects.toMatchObject({
      code: "checkout-incomplete",
      message: expect.stringContaining("a path on this machine"),
    });
    expect(existsSync(join(project.root, "gate/evil/value.txt"))).toBe(false);
  },
);

test.each(["ext::sh -c touch% {mark}", "--upload-pack=touch {mark}", "ssh://-oProxyCommand=id/x"])(
  "a branch cannot make Pawl run a program: %s",
  async (written) => {
    using project = gitProject("remote");
    const mark = join(project.root, "mark");
    const head = await hostile(project, written.replace("{mark}", mark), project.first);
    await expect(project.pawl.checkout(gate(project, head))).rejects.toMatchObject({
      code: "checkout-incomplete",
      message: expect.stringContaining("Pawl does not fetch from"),
    });
    expect(existsSync(mark)).toBe(false);
  },
);

test("hooks and filters of a submodule do not run", async () => {
  const { project, lib } = withLibrary("remote");
  using _ = project;
  const mark = join(project.root, "mark");
  writeFileSync(join(lib.path, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${mark}\n`, {
    mode: 0o755,
  });
  project.git(lib.path, "config", "filter.bad.smudge", `touch ${mark}`);
  const commit = project.commit(lib.path, { ".gitattributes": "* filter=bad\n" });
  pin(project, project.user, { at: "lib", url: "../lib", commit });
  project.git(project.user, "push", "-q", "origin", "main");
  const { workspace } = await workspaceOf(project);
  expect(project.read(workspace, "lib/value.txt")).toBe("lib\n");
  expect(existsSync(mark)).toBe(false);
});

test("only a submodule that the target names is fetched with the access of the hub", async () => {
  const seen: [url: string, authorization: string | undefined][] = [];
  const server = createServer((request, response) => {
    seen.push([request.url ?? "", request.headers.authorization]);
    response.writeHead(404).end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using project = gitProject("remote", {
    access: { url, header: "Authorization: Basic c2VjcmV0" },
  });
  const commit = project.first;
  const named = pin(project, project.user, { at: "known", url: `${url}/known.git`, commit });
  project.git(project.user, "push", "-q", "origin", "main");
  await project.pawl.fetchTarget();
  await expect(project.pawl.checkout(gate(project, named))).rejects.toMatchObject({
    code: "upstream-unreachable",
  });
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen.map(([, authorization]) => authorization))).toEqual(
    new Set(["Basic c2VjcmV0"]),
  );

  seen.length = 0;
  const folder = join(project.root, "branch");
  project.git(project.root, "clone", "-q", "--no-recurse-submodules", project.user, folder);
  const head = pin(project, folder, { at: "other", url: `${url}/other.git`, commit });
  project.git(folder, "rm", "-q", "--cached", "known");
  project.git(folder, "commit", "-q", "-m", "Without the known one");
  const alone = project.head(folder);
  project.git(project.hub, "fetch", "-q", folder, "main:refs/heads/pawl/2");
  expect(head).not.toBe(alone);
  await expect(project.pawl.checkout(gate(project, alone))).rejects.toMatchObject({
    code: "checkout-incomplete",
    message: expect.stringContaining("without credentials"),
  });
  expect(seen.map(([path]) => path.startsWith("/other.git"))).toContain(true);
  expect(seen.every(([, authorization]) => authorization === undefined)).toBe(true);
});

/** Serves the repositories of the project's root; gives the URL of its root. */
async function served(project: GitProject): Promise<string> {
  const port = await freePort();
  const words = ["daemon", "--verbose", "--listen=127.0.0.1", `--port=${port}`, "--export-all"];
  const server = spawn("git", [...words, `--base-path=${project.root}`], {
    stdio: ["ignore", "ignore", "pipe"],
    env: project.options.env as NodeJS.ProcessEnv,
  });
  onTestFinished(() => void server.kill());
  await once(server.stderr, "data");
  return `git://127.0.0.1:${port}`;
}

test("of a repository that only a branch names, the pinned commit alone is fetched", async () => {
  using project = gitProject("remote");
  const lib = library(project, "lib");
  const newer = project.commit(lib.path, { "large.txt": "not asked for\n" });
  const head = await hostile(project, `${await served(project)}/lib`, lib.commit);
  await project.pawl.checkout(gate(project, head));
  expect(project.read(project.root, "gate/evil/value.txt")).toBe("lib\n");
  const has = (commit: string): string => project.git(project.hub, "cat-file", "-t", commit);
  expect(has(lib.commit)).toBe("commit");
  expect(() => has(newer)).toThrow(/cat-file/);
});

test("of a repository that only a branch names, nothing is fetched for a commit that it lacks", async () => {
  using project = gitProject("remote");
  const lib = library(project, "lib");
  const head = await hostile(project, `${await served(project)}/lib`, "1".repeat(40));
  await expect(project.pawl.checkout(gate(project, head))).rejects.toMatchObject({
    code: "checkout-incomplete",
    message: expect.stringContaining("has no such commit"),
  });
  const has = (commit: string): string => project.git(project.hub, "cat-file", "-t", commit);
  expect(() => has(lib.commit)).toThrow(/cat-file/);
});

test("a fetch from a repository that only a branch names has a limit on all of its time", async () => {
  using project = gitProject("remote");
  const lib = library(project, "lib");
  await project.pawl.fetchTarget();
  const url = `${await served(project)}/lib`;
  const context = createContext(project.options);
  const sub = {
    path: "lib",
    name: "lib",
    written: url,
    url,
    commit: lib.commit,
    isOnTarget: false,
  };
  const limits: unknown[] = [];
  const git: typeof context.git = (call) => {
    if (call.args[0] === "fetch") limits.push(call.limits);
    return context.git(call);
  };
  await submoduleHub({ ...context, git }, { ...sub, isTrusted: false });
  expect(limits).toEqual(["run"]);
  const endless = ["-c", "alias.endless=!yes >&2", "endless"];
  const ended = context.git({ args: endless, dir: project.hub, timeoutMs: 100, limits: "run" });
  await expect(ended).rejects.toMatchObject({ code: "command-timeout" });
  const slow: typeof context.git = (call) => (call.args[0] === "fetch" ? ended : context.git(call));
  const commit = commitId("1".repeat(40));
  const fetched = submoduleHub({ ...context, git: slow }, { ...sub, commit, isTrusted: false });
  await expect(fetched).rejects.toMatchObject({ code: "checkout-incomplete", retryable: false });
});

test("a password in a submodule's URL is in no message", async () => {
  using project = gitProject("remote");
  const url = "http://ada:hunter2@127.0.0.1:9/lib.git";
  pin(project, project.user, { at: "lib", url: "../lib.git", commit: project.first });
  project.git(project.user, "push", "-q", "origin", "main");
  const upstream = { ...project.options.upstream, kind: "remote" as const, url };
  const target = await project.pawl.fetchTarget();
  const broken = restarted(project, { upstream });
  const failed = broken.prepareWorkspace({ path: project.workspace("x"), branch, from: target });
  const error = await failed.then(
    () => new Error("the workspace was made"),
    (cause: unknown) => cause as Error,
  );
  expect(error.message).toContain("fetch the submodule lib");
  expect(error.message).not.toContain("hunter2");
});

test("a password in the project's URL does not go to a submodule that only a branch names", async () => {
  const seen: [url: string, authorization: string | undefined][] = [];
  const server = createServer((request, response) => {
    seen.push([request.url ?? "", request.headers.authorization]);
    response.writeHead(401, { "www-authenticate": 'Basic realm="forge"' }).end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://ada:hunter2@127.0.0.1:${port}/org/repo.git`;
  using project = gitProject("remote");
  const head = await hostile(project, "../private.git", project.first);
  const upstream = { ...project.options.upstream, kind: "remote" as const, url };
  const pawl = restarted(project, { upstream });
  await expect(pawl.checkout(gate(project, head))).rejects.toMatchObject({
    code: "checkout-incomplete",
    message: expect.stringContaining("without credentials"),
  });
  expect(seen.map(([path]) => path.startsWith("/org/private.git"))).toContain(true);
  expect(seen.every(([, authorization]) => authorization === undefined)).toBe(true);
});

test.each([
  { isTrusted: false, url: "https://forge.example/org/inner.git" },
  { isTrusted: true, url: "https://ada:hunter2@forge.example/org/inner.git" },
])("inside a submodule, a URL has the password only if trusted: $isTrusted", async (expected) => {
  using project = gitProject("remote");
  const outer = library(project, "outer");
  const commit = pin(project, outer.path, {
    at: "in",
    url: "../inner.git",
    commit: outer.commit,
  });
  const base = "https://ada:hunter2@forge.example/org/outer.git";
  const holder = { dir: join(outer.path, ".git"), commit, base, isTrusted: expected.isTrusted };
  const found = await submodulesOf(createContext(project.options), holder);
  expect(found.submodules).toMatchObject([expected]);
});
