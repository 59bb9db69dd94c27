// The cache of a submodule: a bare repository of Pawl's own for each URL, inside the hub. It is filled
// by Pawl alone, with the access of the hub, so that no workspace and no gate needs any.
import { createHash } from "node:crypto";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationError } from "../../lib/operation-error.ts";
import { CHECKOUT_INCOMPLETE } from "../../ports/git.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import type { GitContext } from "./context.ts";
import { FETCH, FETCH_LOCAL, NETWORK_TIMEOUT_MS } from "./context.ts";
import { exists, HUB_CONFIG, replaceFile } from "./hub.ts";
import { resolve } from "./refs.ts";
import { shownPath } from "./scan.ts";
import type { Submodule } from "./submodules.ts";
import { transportOf } from "./submodule-url.ts";
import { localGitDir, upstreamUnreachable, withoutUrls } from "./target.ts";

/** The repository that has the pinned commit; fetched where it is not there yet. */
export async function submoduleHub(context: GitContext, submodule: Submodule): Promise<string> {
  const { url, written } = submodule;
  if (url === undefined) {
    throw incomplete(submodule, `Pawl does not fetch from "${withoutUrls(written)}"`);
  }
  refusePaths(context, { ...submodule, url });
  const name = createHash("sha1").update(url).digest("hex").slice(0, 20);
  const dir = join(context.privateDir, "submodules", `${name}.git`);
  return context.serial(dir, async () => {
    await make(context, dir);
    if ((await resolve(context, submodule.commit, dir)) !== undefined) return dir;
    await fetchFromUser(context, dir, submodule);
    if ((await resolve(context, submodule.commit, dir)) !== undefined) return dir;
    await fetchPinned(context, dir, { ...submodule, url }).catch((error: unknown) => {
      throw isTooSlow(submodule, error) ? incomplete(submodule, withoutUrls(error.message)) : error;
    });
    await context.crash("git.submodule.fetched");
    return dir;
  });
}

const incomplete = ({ path, commit }: Submodule, why: string): OperationError =>
  new OperationError(`cannot check out the submodule ${shownPath(path)} at ${commit}: ${why}`, {
    code: CHECKOUT_INCOMPLETE,
    hint: "the commit that is pinned must be in the repository that .gitmodules names",
  });

/** What only a branch names is not tried again and again: each time may take ten minutes. */
const isTooSlow = ({ isTrusted }: Submodule, error: unknown): error is OperationError =>
  !isTrusted && error instanceof OperationError && error.code === "command-timeout";

/** A repository on this machine: only where upstream is one too, and the target itself names it. */
function refusePaths({ upstream }: GitContext, submodule: Submodule & { url: string }): void {
  if (transportOf(submodule.url) !== "path") return;
  const isHere = upstream.kind === "local" || transportOf(upstream.url) === "path";
  if (isHere && submodule.isTrusted) return;
  throw incomplete(submodule, `it is a path on this machine (${submodule.url})`);
}

async function make(context: GitContext, dir: string): Promise<void> {
  if (await exists(join(dir, "pawl-complete"))) return;
  await mkdir(dir, { recursive: true });
  const format = (await context.inHub(["rev-parse", "--show-object-format"])).stdout;
  const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, dir];
  await context.git({ args, cwd: dir, what: "make the cache of a submodule" });
  await replaceFile(join(dir, "config"), HUB_CONFIG(format));
  await lendToHub(context, dir);
  await writeFile(join(dir, "pawl-complete"), "1\n");
}

const ALTERNATES_MAX_BYTES = 1024 * 1024;

/** Checkpoints of a submodule refer to its commits: the hub need not hold them a second time. */
async function lendToHub(context: GitContext, dir: string): Promise<void> {
  const list = join(context.hub, "objects", "info", "alternates");
  await context.serial(list, async () => {
    const line = `${join(dir, "objects")}\n`;
    const text = (await readUntrusted(list, ALTERNATES_MAX_BYTES)) ?? "";
    if (text.includes(line)) return;
    await mkdir(join(context.hub, "objects", "info"), { recursive: true });
    await appendFile(list, line);
  });
}

/** Without a remote, the user's own clone of the submodule may have what was never pushed. */
async function fetchFromUser(context: GitContext, dir: string, sub: Submodule): Promise<void> {
  if (context.upstream.kind !== "local" || !sub.isTrusted) return;
  if (sub.name.split("/").some((part) => part === ".." || part === "")) return;
  const own = join(await localGitDir(context), "modules", sub.name);
  if (!(await exists(own))) return;
  const args = [...FETCH_LOCAL, "--end-of-options", own, `${sub.commit}:${pinRef(sub)}`];
  await context.git({ args, dir, timeoutMs: NETWORK_TIMEOUT_MS, expect: [0, 1, 128] });
}

const pinRef = ({ commit }: Submodule): string => `refs/pawl/pins/${commit}`;

/**
 * Its branches, and the commit by itself where no branch has it (a tag, a branch that is gone). Of a
 * repository that only a branch names, the commit alone: what agents name must not fill the disk.
 */
async function fetchPinned(
  context: GitContext,
  dir: string,
  sub: Submodule & { url: string },
): Promise<void> {
  const said: string[] = [];
  const branches = sub.isTrusted ? ["+refs/heads/*:refs/heads/*"] : [];
  const refspecs = [...branches, `${sub.commit}:${pinRef(sub)}`];
  for (const refspec of refspecs) {
    const result = await context.git({
      args: [...FETCH, "--end-of-options", sub.url, refspec],
      dir,
      ...reachOf(sub),
      timeoutMs: NETWORK_TIMEOUT_MS,
      expect: [0, 1, 128],
      what: `fetch the submodule ${shownPath(sub.path)}`,
    });
    if ((await resolve(context, sub.commit, dir)) !== undefined) return;
    if (result.exitCode !== 0) said.push(result.stderr);
  }
  const shown = withoutUrls(sub.url);
  const isReached =
    said.length < refspecs.length ||
    said.some((text) => /not our ref|no such remote ref/.test(text));
  if (isReached) throw incomplete(sub, `${shown} has no such commit`);
  const last = said.at(-1) ?? "";
  if (sub.isTrusted) throw upstreamUnreachable(`fetch the submodule ${shownPath(sub.path)}`, last);
  const why = `${shown} is not among the submodules of the target, so Pawl fetches only its pinned commit, without credentials`;
  throw incomplete(sub, `${why}: ${withoutUrls(last)}`);
}

const reachOf = ({ isTrusted }: Submodule) =>
  isTrusted
    ? { reach: "upstream" as const, env: { GIT_ALLOW_PROTOCOL: "http:https:ssh:git:file" } }
    : { limits: "run" as const, env: { GIT_ALLOW_PROTOCOL: "http:https:git" } };
