// Following upstream's target, and reading what is on it. Upstream is the truth; the hub's
// refs/pawl/target/{name} is only the copy that everything else builds on.
import { setTimeout as delay } from "node:timers/promises";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import {
  FETCH,
  FETCH_LOCAL,
  NETWORK_TIMEOUT_MS,
  UPLOAD_PACK,
  UPSTREAM_UNREACHABLE,
  isMissing,
  perContext,
  repositoryGone,
} from "./context.ts";
import { removeStaleLocks } from "./hub.ts";
import { requireLfs, usesLfs } from "./lfs-needed.ts";
import { recoverMoves } from "./move-checkout.ts";
import { noteOutside } from "./outside.ts";
import { removeSeed, seedFromUser } from "./seed-hub.ts";
import { readRefFile, resolve } from "./refs.ts";

export async function fetchTarget(context: GitContext): Promise<Commit> {
  const commit = await fetchFrom(context).catch(async (error: unknown) => {
    // Perhaps a lock is in the way that was too young to be removed at the start: for the next try.
    await ifThere(removeStaleLocks(context.hub));
    throw error;
  });
  if (await usesLfs(context, commit)) await requireLfs(context);
  return commit;
}

const fetchFrom = (context: GitContext): Promise<Commit> =>
  context.upstream.kind === "local" ? fetchLocal(context) : fetchRemote(context);

async function fetchLocal(context: GitContext): Promise<Commit> {
  const path = context.upstream.path;
  const dir = await localGitDir(context);
  await recoverMoves(context, dir);
  const last = await readRefFile(context.hub, context.targetRef);
  const [upstream, known] = await Promise.all([
    resolve(context, `refs/heads/${context.target}`, dir),
    last === undefined ? undefined : ifIntact(context, last),
  ]);
  if (upstream === undefined) throw await targetMissing(context, await findGitDir(context));
  if (known === upstream) return upstream;
  await context.inHub([...FETCH_LOCAL, dir, refspec(context)], {
    timeoutMs: NETWORK_TIMEOUT_MS,
    what: `fetch ${context.target} from ${path}`,
  });
  if (known !== undefined) await noteOutside(context, dir, { from: known, to: upstream });
  await context.crash("git.target.fetched");
  return fetched(context);
}

/** What has to be asked of a target anyway, and cannot be told of one that the hub has lost. */
const ifIntact = (context: GitContext, commit: Commit): Promise<Commit | undefined> =>
  usesLfs(context, commit).then(
    () => commit,
    () => undefined,
  );

/** Remembered per context: it costs a git each time, and a repository does not move while we run. */
const remembered = perContext((): { dir?: Promise<string> } => ({}));

/** The folder that holds the refs of the user's repository, whichever of its folders was given. */
export async function localGitDir(context: GitContext): Promise<string> {
  const memory = remembered(context);
  memory.dir ??= findGitDir(context);
  try {
    return await memory.dir;
  } catch (error) {
    delete memory.dir;
    throw error;
  }
}

async function findGitDir(context: GitContext): Promise<string> {
  const path = context.upstream.path;
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--git-common-dir",
    "--is-shallow-repository",
  ];
  let result;
  try {
    result = await context.git({ args, cwd: path, expect: [0, 128] });
  } catch (error) {
    const isGone = error instanceof OperationError && error.code === UPSTREAM_UNREACHABLE;
    if (!isGone && !isMissing(error)) throw error;
    throw await noRepository(context, error);
  }
  if (result.exitCode !== 0) throw await noRepository(context, result.stderr);
  const [dir = "", shallow] = result.stdout.split("\n");
  if (shallow === "true") {
    throw new OperationError(`cannot use ${path}: its history is shallow`, {
      code: "shallow-repository",
      hint: "run `git fetch --unshallow` in it",
    });
  }
  return dir;
}

/** Where the hub has the target, it was one before. */
async function noRepository(context: GitContext, cause: unknown): Promise<OperationError> {
  const { path } = context.upstream;
  const known = await resolve(context, context.targetRef).catch(() => undefined);
  return known === undefined ? notARepository(path, cause) : repositoryGone(path, cause);
}

const notARepository = (path: string, cause: unknown): OperationError =>
  new OperationError(`cannot use ${path}: it is not a git repository`, {
    code: "not-a-repository",
    hint: "run `git init` there, or start Pawl inside your repository",
    cause,
  });

async function fetchRemote(context: GitContext): Promise<Commit> {
  if (context.upstream.kind !== "remote") throw new Error("upstream is not a remote");
  const { url } = context.upstream;
  const args = [...FETCH, "--end-of-options", url, refspec(context)];
  const isFirst = (await resolve(context, context.targetRef)) === undefined;
  if (isFirst) await seedFromUser(context, () => localGitDir(context));
  for (let attempt = 1; ; attempt += 1) {
    const result = await context.inHub(args, {
      reach: "upstream",
      timeoutMs: NETWORK_TIMEOUT_MS,
      expect: [0, 1, 128],
      what: `fetch ${context.target} from upstream`,
    });
    if (result.exitCode === 0) break;
    if (attempt >= ATTEMPTS_MAX || !wasRefused(result.stderr)) {
      throw await remoteFailure(context, result.stderr);
    }
    await delay(BACKOFF_FIRST_MS * 4 ** (attempt - 1));
  }
  await context.crash("git.target.fetched");
  if (isFirst) await removeSeed(context);
  return fetched(context);
}

/** A forge whose database is busy refuses a good token, too: it is shown again before you are asked. */
const ATTEMPTS_MAX = 4;
const BACKOFF_FIRST_MS = 100;
const wasRefused = (stderr: string): boolean =>
  /could not read (?:Username|Password)|Authentication failed/.test(stderr);

async function remoteFailure(context: GitContext, stderr: string): Promise<OperationError> {
  if (stderr.includes("couldn't find remote ref")) {
    return targetMissing(context, context.upstream.kind === "remote" ? context.upstream.url : "");
  }
  return upstreamUnreachable(`fetch ${context.target}`, stderr);
}

export function upstreamUnreachable(tried: string, stderr: string): OperationError {
  const differs = /mismatched algorithms: client (?<hub>\w+); server (?<there>\w+)/.exec(stderr);
  if (differs !== null) {
    const { hub, there } = differs.groups ?? {};
    return new OperationError(
      `cannot ${tried}: upstream is a ${there} repository, and the hub was made for ${hub}`,
      {
        code: "object-format-differs",
        hint: "stop Pawl and move the project's hub.git in PAWL_HOME away: Pawl makes a new one",
      },
    );
  }
  return new OperationError(
    `cannot ${tried}: upstream gave an unexpected answer: ${withoutUrls(stderr)}`,
    {
      code: UPSTREAM_UNREACHABLE,
      hint: "check the network, and that `git fetch` works without asking for a password",
      retryable: true,
    },
  );
}

/** Without what may be a password in a url. */
export const withoutUrls = (text: string): string =>
  text.replaceAll(/:\/\/[^\s/@']+@/g, "://***@").trim();

async function targetMissing(context: GitContext, repository: string): Promise<OperationError> {
  const result = await context.inHub(
    ["ls-remote", "--heads", `--upload-pack=${UPLOAD_PACK}`, "--end-of-options", repository],
    { reach: "upstream", timeoutMs: NETWORK_TIMEOUT_MS, what: "list upstream's branches" },
  );
  const branches = result.stdout.split("\n").flatMap((line) => line.split("refs/heads/")[1] ?? []);
  if (branches.length === 0) {
    return new OperationError(
      `cannot follow ${context.target}: the repository has no commits yet`,
      {
        code: "no-commits",
        hint: `make a first commit on ${context.target}`,
      },
    );
  }
  const some = branches.slice(0, 5).join(", ");
  return new OperationError(`cannot follow ${context.target}: upstream has no such branch`, {
    code: "target-missing",
    hint: `it has ${some}; set \`target\` under [project] in pawl.toml`,
  });
}

const refspec = (context: GitContext): string =>
  `+refs/heads/${context.target}:${context.targetRef}`;

async function fetched(context: GitContext): Promise<Commit> {
  const commit = await resolve(context, context.targetRef);
  if (commit !== undefined) return commit;
  throw new OperationError(`cannot follow ${context.target}: the hub has no commit for it`, {
    code: "target-missing",
  });
}

export async function readFile(
  context: GitContext,
  commit: Commit,
  path: string,
): Promise<string | undefined> {
  const known = found(context);
  const key = `${commit}:${path}`;
  if (!known.has(key)) {
    const blob = await readAt(context, commit, path);
    if (known.size >= FOUND_MAX) known.clear();
    known.set(key, blob);
  }
  const id = known.get(key);
  return id === undefined ? undefined : readBlob(context, id);
}

/** A commit never changes, and pawl.toml of the same few is asked for again and again. */
const found = perContext((): Map<string, string | undefined> => new Map());
const FOUND_MAX = 200;

/** The blob's id; its text is remembered. */
async function readAt(
  context: GitContext,
  commit: Commit,
  path: string,
): Promise<string | undefined> {
  // The commit is asked for as well, so that one that is missing is told from a missing file.
  const stdin = `info ${commit}^{tree}\ncontents ${commit}:${path}\n`;
  const { bytes } = await context.inHub(["cat-file", "--batch-command"], { stdin });
  const [tree, rest] = firstLine(bytes);
  if (!/ tree \d+$/.test(tree)) {
    throw new OperationError(`cannot read ${path} at ${commit}: the hub has no such commit`, {
      code: "commit-missing",
    });
  }
  const [entry, content] = firstLine(rest);
  const blob = /^(?<id>[0-9a-f]+) blob (?<size>\d+)$/.exec(entry)?.groups;
  const { id, size } = blob ?? {};
  if (id === undefined) return undefined;
  rememberBlob(context, id, content.subarray(0, Number(size)).toString("utf8"));
  return id;
}

function firstLine(bytes: Buffer): [line: string, rest: Buffer] {
  const end = bytes.indexOf("\n");
  return [bytes.subarray(0, end).toString("utf8"), bytes.subarray(end + 1)];
}

/** Content never changes under its id: what was read once need not be read again. */
const blobs = perContext((): Map<string, string> => new Map());
const BLOBS_MAX = 20;

async function readBlob(context: GitContext, id: string): Promise<string> {
  const known = blobs(context).get(id);
  const text = known ?? (await context.inHub(["cat-file", "blob", id])).bytes.toString("utf8");
  rememberBlob(context, id, text);
  return text;
}

function rememberBlob(context: GitContext, id: string, text: string): void {
  const known = blobs(context);
  known.set(id, text);
  for (const old of [...known.keys()].slice(0, -BLOBS_MAX)) known.delete(old);
}

export async function targetFiles(
  context: GitContext,
  request: { folder: string; filesMax: number; bytesMax: number },
): Promise<{ path: string; text: string }[]> {
  const target = await resolve(context, context.targetRef);
  if (target === undefined) return [];
  const args = ["ls-tree", "-r", "-z", "-l", `${target}:${request.folder}`];
  const listed = await context.inHub(args, { expect: [0, 128] });
  if (listed.exitCode !== 0) return [];
  const files = listed.stdout.split("\0").flatMap((line) => {
    const match = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line);
    const [, id = "", size = "", path = ""] = match ?? [];
    return match === null || Number(size) > request.bytesMax ? [] : [{ id, path }];
  });
  const wanted = files.slice(0, request.filesMax);
  return Promise.all(
    wanted.map(async ({ id, path }) => ({ path, text: await readBlob(context, id) })),
  );
}

export async function targetLog(
  context: GitContext,
  request: { since?: Commit; limit: number },
): Promise<{ commit: Commit; subject: string }[]> {
  const known =
    request.since !== undefined && (await resolve(context, request.since)) !== undefined;
  const range = known ? [`${request.since}..${context.targetRef}`] : [context.targetRef];
  const args = ["log", "-z", "--first-parent", `-n${request.limit}`, "--format=%H %s", ...range];
  const result = await context.inHub(args);
  const lines = result.stdout.split("\0").filter((line) => line !== "");
  return lines.toReversed().map((line) => {
    const space = line.indexOf(" ");
    return { commit: commitId(line.slice(0, space)), subject: line.slice(space + 1) };
  });
}
