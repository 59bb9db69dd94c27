// Git LFS: the content of large files lies beside the repository, on upstream's LFS server. Pawl keeps
// it in the hub (hub.git/lfs), where gates and workspaces take it from without any credentials. It is
// pushed before the commits that name it.
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { CHECKOUT_INCOMPLETE } from "../../ports/git.ts";
import type { GitContext } from "./context.ts";
import { NETWORK_TIMEOUT_MS, perContext } from "./context.ts";
import { exists } from "./hub.ts";
import { requireLfs, usesLfs } from "./lfs-needed.ts";
import { copyLfsObject, lfsPath, pointersIn, pointersOfTree } from "./lfs-objects.ts";
import { resolve } from "./refs.ts";
import { localGitDir, upstreamUnreachable, withoutUrls } from "./target.ts";

/** Commits whose large files are in the hub. */
const complete = perContext(() => new Set<string>());
const REMEMBERED_MAX = 10_000;

/** Brings the large files of a commit into the hub; harmless to repeat. */
export async function ensureLfs(context: GitContext, commit: Commit): Promise<void> {
  if (!(await usesLfs(context, commit))) return;
  await requireLfs(context);
  await context.serial("lfs", async () => {
    if (complete(context).has(commit)) return;
    // Asks no server where the hub has them all: a workspace is rebuilt without a network.
    if (context.upstream.kind === "local") await copyFromUser(context, commit);
    else await fetchLfs(context, { dir: context.hub, commit, url: context.upstream.url });
    if (complete(context).size >= REMEMBERED_MAX) complete(context).clear();
    complete(context).add(commit);
  });
}

/** What `url` has of a commit's large files, into the repository of ours that has the commit. */
export async function fetchLfs(
  context: GitContext,
  { dir, commit, url }: { dir: string; commit: Commit; url: string },
): Promise<void> {
  await requireLfs(context);
  const result = await context.git({
    args: ["lfs", "fetch", "origin", commit],
    dir,
    reach: "upstream",
    settings: await remoteSettings(context, url),
    env: { GIT_LFS_FORCE_PROGRESS: "1" },
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 2],
    what: `fetch the large files of ${commit}`,
  });
  if (result.exitCode === 0) return;
  if (!MISSING.test(result.stderr)) throw upstreamUnreachable("fetch large files", result.stderr);
  throw missing(commit, withoutUrls(result.stderr));
}

/** What git-lfs says of an object that the server does not have. */
const MISSING = /missing object|does not exist|\[?404\]?|no such file or directory/i;

const missing = (commit: Commit, why: string): OperationError =>
  new OperationError(`cannot check out ${commit}: some of its large files are missing: ${why}`, {
    code: CHECKOUT_INCOMPLETE,
    hint: "the files must be added with Git LFS, so that their content exists",
  });

/** Where upstream's LFS server is: as .lfsconfig of the target says, else where git-lfs looks for it. */
async function remoteSettings(context: GitContext, url: string): Promise<[string, string][]> {
  const own: [string, string][] = [
    ["remote.origin.url", url],
    ["lfs.locksverify", "false"],
  ];
  const isOwn = context.upstream.kind === "remote" && context.upstream.url === url;
  const target = isOwn ? await resolve(context, context.targetRef) : undefined;
  if (target === undefined) return own;
  const args = ["config", "--blob", `${target}:.lfsconfig`, "--get", "lfs.url"];
  const written = await context.inHub(args, { expect: [0, 1, 128] });
  return written.exitCode === 0 ? [...own, ["lfs.url", written.stdout]] : own;
}

async function copyFromUser(context: GitContext, commit: Commit): Promise<void> {
  const from = await localGitDir(context);
  for (const oid of await pointersOfTree(context, commit)) {
    const isThere = await copyLfsObject({ oid, from, to: context.hub });
    if (!isThere) throw missing(commit, `your repository has no object ${oid}`);
  }
}

/** Takes what an agent added from its workspace, as its branch is. */
export async function takeLfs(
  context: GitContext,
  { workspace, head, target }: { workspace: string; head: Commit; target: Commit },
): Promise<void> {
  if (!(await usesLfs(context, head))) return;
  for (const oid of await pointersIn(context, head, target)) {
    await copyLfsObject({ oid, from: join(workspace, ".git"), to: context.hub });
  }
}

/** Takes what all commits of a workspace name, before it goes: versions that were never fetched too. */
export async function takeAllLfs(
  context: GitContext,
  workspace: string,
  heads: Iterable<Commit>,
): Promise<void> {
  const target = await resolve(context, context.targetRef);
  if (target === undefined) return;
  for (const head of new Set(heads)) await takeLfs(context, { workspace, head, target });
}

/** Before a push: the commits must not be there without their large files. */
export async function pushLfs(context: GitContext, url: string, head: Commit): Promise<void> {
  if (!(await usesLfs(context, head))) return;
  const target = await resolve(context, context.targetRef);
  const oids: string[] = [];
  for (const oid of target === undefined ? [] : await pointersIn(context, head, target)) {
    // What the hub never needed is upstream's own.
    if (await exists(lfsPath(context.hub, oid))) oids.push(oid);
  }
  const settings = await remoteSettings(context, url);
  for (let at = 0; at < oids.length; at += OIDS_MAX) {
    const args = ["lfs", "push", "--object-id", "origin", ...oids.slice(at, at + OIDS_MAX)];
    const result = await context.inHub(args, {
      reach: "upstream",
      settings,
      env: { GIT_LFS_FORCE_PROGRESS: "1" },
      timeoutMs: NETWORK_TIMEOUT_MS,
      expect: [0, 1, 2],
      what: "push large files to upstream",
    });
    if (result.exitCode !== 0) throw upstreamUnreachable("push large files", result.stderr);
  }
}

/** For one command line. */
const OIDS_MAX = 500;

/** Before the target of the user's own repository moves. */
export async function giveLfs(
  context: GitContext,
  dir: string,
  { candidate, expected }: { candidate: Commit; expected: Commit },
): Promise<void> {
  if (!(await usesLfs(context, candidate))) return;
  for (const oid of await pointersIn(context, candidate, expected)) {
    await copyLfsObject({ oid, from: context.hub, to: dir });
  }
}
