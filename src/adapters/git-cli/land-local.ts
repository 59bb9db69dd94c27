// Landing without a remote: the user's own target ref by compare-and-swap, after the checkouts that
// have it. In this order, because a ref that moves under a checkout makes the user's next commit
// undo the landing (reproduced). Between the two the user's git is kept out by index.lock. With a
// remote: land-remote.ts; where the forge merges: daemon/effects/land-by-forge.ts.
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Commit } from "../../core/ids.ts";
import type { LandingOutcome } from "../../core/merge-queue/entry.ts";
import { errorCode, hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { committerOf } from "./authors.ts";
import type { GitContext } from "./context.ts";
import { giveLfs } from "./lfs.ts";
import { isBuiltOn } from "./commits.ts";
import type { Begin, Moving } from "./move-checkout.ts";
import {
  applyMove,
  beginMove,
  changedBetween,
  contains,
  finishMove,
  fullDisk,
  gitDirOf,
  recoverMoves,
  refreshMoved,
  undoMove,
} from "./move-checkout.ts";
import { requireUnedited } from "./move-files.ts";
import { isAncestor, resolve, setRef } from "./refs.ts";
import { fetchTarget, localGitDir } from "./target.ts";
import type { Move, Refusal } from "./user-checkout.ts";
import { checkoutsOf, rebasedIn, switchedTo } from "./user-checkout.ts";

type Request = { candidate: Commit; expected: Commit };

export async function landLocal(context: GitContext, request: Request): Promise<LandingOutcome> {
  const { candidate, expected } = request;
  const ref = `refs/heads/${context.target}`;
  const dir = await localGitDir(context);
  await recoverMoves(context, dir);
  const move = { from: expected, to: candidate };
  const switched = await switchedTo(dir, ref);
  const [checkouts, goesForward, raw] = await Promise.all([
    checkoutsOf(context, dir, ref),
    isBuiltOn(context, candidate, expected) || isAncestor(context, expected, candidate),
    changedBetween(context, move),
  ]);
  const current = checkouts.head ?? (await resolve(context, ref, dir));
  if (current !== expected) return movedOrLanded(context, candidate);
  if (!goesForward) throw notForward(request);
  await context.crash("git.land.before-objects");
  await giveLfs(context, dir, request);
  const [begins, rebasing] = await Promise.all([
    Promise.all(
      checkouts.folders.map(async (folder) => {
        const gitDir = await gitDirOf(context, { folder, dir });
        return { folder, gitDir, move, raw };
      }),
    ),
    rebasedIn(dir, ref),
    giveObjects(context, dir, request).catch((error: unknown) => {
      throw asFullDisk(error);
    }),
  ]);
  await context.crash("git.land.objects");
  if (rebasing !== undefined) {
    const why = `a rebase of ${context.target} is in progress in ${rebasing}`;
    return { kind: "held", paths: [], why };
  }
  const moved = await moveAll(context, { dir, move, begins, switched });
  if (moved.kind === "held") return moved;
  if (moved.kind === "overtaken") return movedOrLanded(context, candidate);
  await context.crash("git.land.followed");
  // It is in the log then, and the repeat finds the landing done.
  if (moved.kept.length > 0) throw editKept(moved.kept);
  return { kind: "landed", commit: candidate };
}

/** `kept`: where edits are that the user saved while the landing was under way. */
type Moved =
  | { kind: "moved"; kept: string[] }
  | { kind: "overtaken" }
  | ({ kind: "held" } & Refusal);

/** `switched`: the git folders of checkouts that were on the target when they were listed. */
type Landing = { dir: string; move: Move; begins: Begin[]; switched: string[] };

/** All checkouts and the ref, or none of them; and the hub follows. */
async function moveAll(
  context: GitContext,
  { dir, move, begins, switched }: Landing,
): Promise<Moved> {
  const moving: Moving[] = [];
  const undoAll = async (): Promise<void> => {
    for (const one of moving.toReversed()) await undoMove(one);
  };
  try {
    for (const begin of begins) {
      const begun = await beginMove(context, begin);
      if ("why" in begun) {
        await undoAll();
        return { kind: "held", ...begun };
      }
      moving.push(begun);
    }
    await requireUnswitched(context, dir, switched);
    await context.crash("git.land.staged");
    for (const one of moving) await applyMove(context, one);
    await context.crash("git.land.checkout");
    for (const one of moving) await requireUnedited(one);
    if (!(await swapWhileRefreshing(context, dir, { move, moving }))) {
      await undoAll();
      return { kind: "overtaken" };
    }
  } catch (error) {
    // A failure of the world, not the end of this process, which recovers at its next start.
    if (!(error instanceof OperationError) && errorCode(error) === undefined) throw error;
    // Where the ref may have moved, `recoverMoves` finishes or undoes at the next try.
    if (hasCode(error, [TARGET_UNKNOWN])) throw error;
    await undoAll();
    throw asFullDisk(error);
  }
  await context.crash("git.land.ref-moved");
  const [kept] = await Promise.all([
    finishAll(moving),
    setRef(context, context.targetRef, move.to),
  ]);
  await context.crash("git.land.index-moved");
  return { kind: "moved", kept };
}

/** The locks keep a checkout where it is, and only those that were listed have been locked. */
async function requireUnswitched(
  { target, upstream }: GitContext,
  dir: string,
  before: string[],
): Promise<void> {
  const now = await switchedTo(dir, `refs/heads/${target}`);
  if (now.join("\0") === before.join("\0")) return;
  throw new OperationError(
    `cannot land in ${upstream.path}: a checkout was switched to or from ${target} meanwhile`,
    { code: "checkout-changed", retryable: true },
  );
}

/** A look at the files needs no ref; both have ended before anything is put back or finished. */
async function swapWhileRefreshing(
  context: GitContext,
  dir: string,
  { move, moving }: { move: Move; moving: Moving[] },
): Promise<boolean> {
  const swapping = swap(context, dir, move);
  const refreshing = Promise.all(moving.map((one) => refreshMoved(context, one)));
  await Promise.allSettled([swapping, refreshing]);
  const isSwapped = await swapping;
  await refreshing;
  return isSwapped;
}

async function finishAll(moving: Moving[]): Promise<string[]> {
  const kept: string[] = [];
  for (const one of moving) kept.push(...(await finishMove(one)));
  return kept;
}

/** The target is not where it was: because we did it before a crash, or because someone else did. */
export async function movedOrLanded(
  context: GitContext,
  candidate: Commit,
): Promise<LandingOutcome> {
  const target = await fetchTarget(context);
  const there = await isAncestor(context, candidate, target);
  return there ? { kind: "landed", commit: candidate } : { kind: "target-moved", target };
}

/**
 * Copies what the candidate adds into the user's repository; no ref appears there. As a fetch would,
 * which starts seven programs for it and takes four times as long. The pack is streamed: it may be
 * larger than the memory.
 */
async function giveObjects(context: GitContext, dir: string, request: Request): Promise<void> {
  const { candidate, expected } = request;
  const what = `copy ${candidate} into the repository of the target`;
  await context.inHub(["pack-objects", "--revs", "--stdout", "--progress", "--thin"], {
    stdin: `${candidate}\n^${expected}\n`,
    take: async (pack) => {
      const header = await peek(pack, PACK_HEADER_BYTES);
      const isLarge =
        header.length < PACK_HEADER_BYTES || header.readUInt32BE(PACK_COUNT_AT) > LOOSE_MAX;
      const args = isLarge ? ["index-pack", "-v", "--stdin", "--fix-thin"] : ["unpack-objects"];
      await context.git({ args, dir, stdin: pack, what });
    },
    what,
  });
}

/** Where a pack says how many objects are in it, and how many git keeps loose after a fetch. */
const PACK_HEADER_BYTES = 12;
const PACK_COUNT_AT = 8;
const LOOSE_MAX = 100;

/** The first bytes of a stream, which stay in it; fewer where it ends before. */
async function peek(stream: Readable, bytes: number): Promise<Buffer> {
  let seen = Buffer.alloc(0);
  while (seen.length < bytes && !stream.readableEnded) {
    const chunk = (stream.read() ?? undefined) as Buffer | undefined;
    if (chunk !== undefined) seen = Buffer.concat([seen, chunk]);
    else await Promise.race([once(stream, "readable"), once(stream, "end")]);
  }
  if (seen.length > 0) stream.unshift(seen);
  return seen;
}

/**
 * False where someone else has moved the ref. A git whose end was not seen, or that failed after its
 * work, may have moved it all the same: so the ref itself is asked after every failure.
 */
async function swap(context: GitContext, dir: string, move: Move): Promise<boolean> {
  const ref = `refs/heads/${context.target}`;
  const failure = await tryToSwap(context, dir, move);
  if (failure === undefined) return true;
  try {
    const current = await resolve(context, ref, dir);
    if (current === undefined) throw targetUnknown(context, failure);
    if (current !== move.from) return await contains(context, { dir, name: ref, commit: move.to });
  } catch (error) {
    if (!(error instanceof OperationError) && errorCode(error) === undefined) throw error;
    throw targetUnknown(context, error);
  }
  throw failure;
}

/** Undefined where git says that the ref has moved. */
async function tryToSwap(
  context: GitContext,
  dir: string,
  move: Move,
): Promise<OperationError | undefined> {
  const committer = committerOf(context);
  const ref = `refs/heads/${context.target}`;
  try {
    const result = await context.git({
      args: ["update-ref", "-m", "pawl: land", ref, move.to, move.from],
      dir,
      env: { GIT_COMMITTER_NAME: committer.name, GIT_COMMITTER_EMAIL: committer.email },
      expect: [0, 1, 128],
    });
    if (result.exitCode === 0) return undefined;
    return new OperationError(`cannot move ${context.target}: ${result.stderr}`, {
      code: "target-locked",
      hint: `if no git is running, remove the lock file of ${ref}`,
      retryable: true,
    });
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
}

const TARGET_UNKNOWN = "target-unknown";

const targetUnknown = ({ target }: GitContext, cause: unknown): OperationError =>
  new OperationError(`cannot see whether ${target} has moved`, {
    code: TARGET_UNKNOWN,
    hint: "Pawl looks again, and then finishes the landing or puts your files back",
    retryable: true,
    cause,
  });

const editKept = (names: string[]): OperationError =>
  new OperationError(
    `you saved a file while a landing replaced it: your version is in ${names.join(", ")}`,
    { code: "edit-kept", hint: "take from it what you need, and remove it", retryable: true },
  );

function asFullDisk(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isFull = hasCode(error, ["ENOSPC", "EDQUOT"]) || FULL_DISK.test(error.message);
  return isFull ? fullDisk(error) : error;
}

const FULL_DISK = /No space left on device|Disk quota exceeded/;

export const notForward = ({ candidate, expected }: Request): OperationError =>
  new OperationError(`cannot land ${candidate}: it does not contain the target at ${expected}`, {
    code: "not-a-fast-forward",
  });
