// A copy of checkpoints and branches on a private remote, so that a lost machine loses no work. A
// file beside the hub records what was sent: only changes are sent, and a ref that another writer
// moved is never overwritten. Pawl removes nothing from the remote that this hub did not send.
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commitId, type Commit } from "../../core/ids.ts";
import { isAbsent } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { PushOfCheckpoints } from "../../ports/checkpoints.ts";
import { CHECKPOINT_REFS } from "./checkpoint.ts";
import type { GitContext } from "./context.ts";
import { NETWORK_TIMEOUT_MS } from "./context.ts";
import { replaceFile } from "./hub.ts";
import { resolve } from "./refs.ts";
import { withoutUrls } from "./target.ts";

export const BRANCH_REFS = "refs/heads/pawl/";
/** A command line has its limits. */
const REFS_MAX = 200;

export type Refs = Map<string, Commit>;

export async function pushCheckpoints(
  context: GitContext,
  { to }: { to: string },
): Promise<PushOfCheckpoints> {
  const url = await remoteUrl(context, to);
  return context.serial("checkpoint remote", async () => {
    const now = await localRefs(context);
    const sent = await readSent(context, url);
    const first = await pushChanges(context, { url, now, sent });
    if (first.refused.length === 0) return { kind: "pushed", refs: first.pushed };
    // A crash may have come between sending and writing that down: then what is there is ours.
    const there = await remoteRefs(context, url);
    for (const ref of first.refused) await adopt(context, { ref, there, sent });
    const second = await pushChanges(context, { url, now, sent });
    if (second.refused.length > 0) return { kind: "refused", refs: second.refused };
    return { kind: "pushed", refs: first.pushed + second.pushed };
  });
}

async function adopt(
  context: GitContext,
  { ref, there, sent }: { ref: string; there: Refs; sent: Refs },
): Promise<void> {
  const commit = there.get(ref);
  if (commit === undefined) sent.delete(ref);
  else if ((await resolve(context, commit)) !== undefined) sent.set(ref, commit);
}

type Pushing = { url: string; now: Refs; sent: Refs };

async function pushChanges(
  context: GitContext,
  { url, now, sent }: Pushing,
): Promise<{ pushed: number; refused: string[] }> {
  const changed = [...now].filter(([ref, commit]) => sent.get(ref) !== commit);
  const gone = [...sent.keys()].filter((ref) => !now.has(ref));
  const wanted = [...changed.map(([ref]) => ref), ...gone];
  const done: string[] = [];
  for (let at = 0; at < wanted.length; at += REFS_MAX) {
    const refs = wanted.slice(at, at + REFS_MAX);
    const accepted = await pushRefs(context, { url, now, sent }, refs);
    done.push(...accepted);
    for (const ref of accepted) {
      const commit = now.get(ref);
      if (commit === undefined) sent.delete(ref);
      else sent.set(ref, commit);
    }
    await context.crash("git.checkpoints.pushed");
    await writeSent(context, url, sent);
  }
  return { pushed: done.length, refused: wanted.filter((ref) => !done.includes(ref)) };
}

/** Each with a lease on what was last sent; answers those that are there now. */
async function pushRefs(
  context: GitContext,
  { url, now, sent }: Pushing,
  refs: string[],
): Promise<string[]> {
  const leases = refs.map((ref) => `--force-with-lease=${ref}:${sent.get(ref) ?? ""}`);
  const specs = refs.map((ref) => `${now.get(ref) ?? ""}:${ref}`);
  const args = [
    "push",
    "--porcelain",
    "--progress",
    "--no-verify",
    ...leases,
    "--end-of-options",
    url,
  ];
  const result = await context.inHub([...args, ...specs], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: "push checkpoints",
  });
  const lines = parsePushed(result.stdout);
  if (lines.length === 0) throw remoteUnreachable("push checkpoints", result.stderr);
  return lines.filter(({ isAccepted }) => isAccepted).map(({ ref }) => ref);
}

/** What `push --porcelain` says of each ref: flag, `from:to`, summary. */
export function parsePushed(stdout: string): { ref: string; isAccepted: boolean }[] {
  return stdout.split("\n").flatMap((line) => {
    const { flag, ref } = /^(?<flag>[ +*=!-])\t[^\t:]*:(?<ref>[^\t]+)\t/.exec(line)?.groups ?? {};
    return ref === undefined ? [] : [{ ref, isAccepted: flag !== "!" }];
  });
}

export const remoteUnreachable = (tried: string, stderr: string): OperationError =>
  new OperationError(`cannot ${tried}: the remote for checkpoints said: ${withoutUrls(stderr)}`, {
    code: "remote-unreachable",
    hint: "check the network, and that `git fetch` from it works without asking for a password",
    retryable: true,
  });

/** A name is the user's own for a remote; everything else is taken as it is. */
export async function remoteUrl(context: GitContext, to: string): Promise<string> {
  if (!/^[A-Za-z0-9][\w-]*$/.test(to)) return to;
  const cwd = context.upstream.path;
  const args = ["remote", "get-url", "--push", to];
  const result = await context.git({ args, cwd, reach: "user", expect: [0, 2, 128] });
  if (result.exitCode === 0 && result.stdout !== "") return result.stdout.split("\n")[0] ?? to;
  throw new OperationError(
    `cannot use "${to}" for checkpoints: ${cwd} has no remote of that name`,
    {
      code: "remote-unknown",
      hint: `git -C ${cwd} remote add ${to} URL, or write the URL itself`,
    },
  );
}

export async function localRefs(context: GitContext): Promise<Refs> {
  const args = ["for-each-ref", "--format=%(objectname)\t%(refname)", CHECKPOINT_REFS, BRANCH_REFS];
  return parseRefs((await context.inHub(args)).stdout);
}

export async function remoteRefs(context: GitContext, url: string): Promise<Refs> {
  const args = ["ls-remote", "--refs", "--end-of-options", url];
  const result = await context.inHub([...args, `${CHECKPOINT_REFS}*`, `${BRANCH_REFS}*`], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 128],
  });
  if (result.exitCode !== 0) throw remoteUnreachable("look for checkpoints", result.stderr);
  return parseRefs(result.stdout);
}

const parseRefs = (text: string): Refs =>
  new Map(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const tab = line.indexOf("\t");
        return [line.slice(tab + 1), commitId(line.slice(0, tab))];
      }),
  );

/** By url, because another remote has had nothing yet. */
const sentFile = (context: GitContext, url: string): string => {
  const name = createHash("sha1").update(url).digest("hex").slice(0, 20);
  return join(context.privateDir, "sent", `${name}.json`);
};

export async function readSent(context: GitContext, url: string): Promise<Refs> {
  try {
    const text = await readFile(sentFile(context, url), "utf8");
    return new Map(Object.entries(JSON.parse(text) as Record<string, Commit>));
  } catch (error) {
    // A memory that is gone or broken costs only a second look at what is there.
    if (isAbsent(error) || error instanceof SyntaxError) return new Map();
    throw error;
  }
}

export async function writeSent(context: GitContext, url: string, sent: Refs): Promise<void> {
  const file = sentFile(context, url);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, JSON.stringify(Object.fromEntries(sent)));
}
