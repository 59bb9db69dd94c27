// Git opens `.gitignore` and `.gitattributes` in every folder of a work tree, and waits without end
// where one of them is a FIFO. Looking for FIFOs before every call would cost a walk of the whole
// workspace, so a call that takes long is released instead: a writer that opens a FIFO and closes it
// makes git read an empty file. Nothing in the workspace changes.
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";

/** Most calls have ended by then. */
const LOOK_AFTER_MS = 1_000;
/** FIFOs that appear later are found by the next look. */
const LOOK_EVERY_MS = 10_000;
const RELEASE_EVERY_MS = 50;
/** A FIFO that has a reader for so long has another writer too, who sends nothing. */
const HELD_MAX_MS = 10_000;
const FOUND_MAX = 10_000;
const READ_BY_GIT = new Set([".gitignore", ".gitattributes"]);

/** Runs a git over the files of `folder`. */
export async function overWorkTree<T>(
  folder: string,
  git: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const stuck = new AbortController();
  const releasing = release(folder, ended.signal).then((pipe) => {
    if (pipe !== undefined) stuck.abort();
    return pipe;
  });
  try {
    return await git(stuck.signal);
  } catch (error) {
    if (!stuck.signal.aborted) throw error;
    const pipe = (await releasing) ?? folder;
    throw new OperationError(
      `cannot look at the files of ${folder}: git waits for the FIFO ${pipe}, which a process holds open`,
      { code: "workspace-irregular", hint: `remove ${pipe}`, cause: error },
    );
  } finally {
    ended.abort();
    await releasing;
  }
}

/** Ends when git has ended, or with the FIFO that git cannot be released from. */
async function release(folder: string, ended: AbortSignal): Promise<string | undefined> {
  let pipes: Pipe[] = [];
  let lookAt = 0;
  await pause(LOOK_AFTER_MS, ended);
  while (!ended.aborted) {
    if (performance.now() >= lookAt && !pipes.some(({ readSince }) => readSince !== undefined)) {
      pipes = (await pipesIn(folder, ended)).map((path) => ({ path }));
      lookAt = performance.now() + LOOK_EVERY_MS;
    }
    const held = await releaseAll(pipes, ended);
    if (held !== undefined) return held.path.toString();
    await pause(pipes.length === 0 ? LOOK_EVERY_MS : RELEASE_EVERY_MS, ended);
  }
  return undefined;
}

type Pipe = { path: Buffer; readSince?: number | undefined };

/** The first that has had a reader for too long. */
async function releaseAll(pipes: Pipe[], ended: AbortSignal): Promise<Pipe | undefined> {
  for (const pipe of pipes) {
    if (ended.aborted) return undefined;
    const now = performance.now();
    pipe.readSince = (await closeAsWriter(pipe.path)) ? (pipe.readSince ?? now) : undefined;
    if (now - (pipe.readSince ?? now) > HELD_MAX_MS) return pipe;
  }
  return undefined;
}

async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: ended, ref: false }).catch((error: unknown) => {
    if (!ended.aborted) throw error;
  });
}

/** Whether a reader was there. */
async function closeAsWriter(pipe: Buffer): Promise<boolean> {
  try {
    await (
      await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    ).close();
    return true;
  } catch (error) {
    // No reader, no FIFO any more, or closed to us: git is not held by it.
    if (errorCode(error) !== undefined) return false;
    throw error;
  }
}

/** FIFOs that git would open as files, as byte strings. */
async function pipesIn(folder: string, ended: AbortSignal): Promise<Buffer[]> {
  const found: Buffer[] = [];
  const waiting = [Buffer.from(folder)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (ended.aborted || found.length >= FOUND_MAX) break;
    for (const entry of await entriesOf(next)) {
      const path = Buffer.concat([next, Buffer.from("/"), entry.name]);
      const name = entry.name.toString();
      if (entry.isDirectory() && name !== ".git") waiting.push(path);
      else if (entry.isFIFO() && READ_BY_GIT.has(name)) found.push(path);
    }
  }
  return found;
}

async function entriesOf(folder: Buffer) {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    // Gone meanwhile, closed to us or too deep: what is inside is not found.
    if (errorCode(error) !== undefined) return [];
    throw error;
  }
}
