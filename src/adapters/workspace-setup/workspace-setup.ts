// Brings into a workspace what git does not: the user's own files, and what a command makes.
import { constants, statSync, type Stats } from "node:fs";
import {
  copyFile,
  cp,
  lstat,
  open,
  readlink,
  rename,
  rm,
  symlink,
  type FileHandle,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { hasCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Walls } from "../../ports/walls.ts";
import type { SetUpRequest, Workspaces } from "../../ports/workspace.ts";
import { formatDuration } from "../../lib/duration.ts";
import { endOf } from "../shared/command-text.ts";
import { cutTail } from "../shared/cut-tail.ts";
import { byteString, Folder, splitPath } from "../shared/folder.ts";
import { inRoom, roomEnvironment } from "../shared/in-walls.ts";
import { run } from "../shared/run.ts";
import { openUntrusted } from "../shared/untrusted-file.ts";

const OUTPUT_MAX_BYTES = 1_000_000;
const ANY_CODE = Array.from({ length: 256 }, (_, code) => code);

type Command = Omit<SetUpRequest, "from" | "copy">;

/** `environment`: what set-up commands may see of the user's. */
export function createWorkspaces(environment: Record<string, string>, walls?: Walls): Workspaces {
  const command = async (request: Command, expect: readonly number[]) => {
    const { path: cwd, walls: frame } = request;
    if (request.command === undefined || !(await exists(cwd))) return undefined;
    const env = roomEnvironment(frame, { ...environment, ...request.env });
    // The command is the user's own text from pawl.toml, not built from data. All of its output in
    // one stream, of which the end is kept.
    const argv = ["sh", "-c", 'exec sh -c "$1" >&2', "sh", request.command] as const;
    return run({
      argv: await inRoom({ walls, frame, argv, cwd, env, write: [] }),
      cwd,
      env,
      timeoutMs: request.timeoutMs,
      maxBytes: OUTPUT_MAX_BYTES,
      expect,
    });
  };
  return {
    setUp: async (request) => {
      for (const file of request.copy) await copyOnce(request, file);
      try {
        const result = await command(request, ANY_CODE);
        if (result === undefined || result.exitCode === 0) return undefined;
        const why = `\`${request.command}\`: exit code ${result.exitCode}`;
        return { why, logTail: cutTail(endOf(result.stderr)) };
      } catch (error) {
        if (!(error instanceof OperationError) || error.code !== "command-timeout") throw error;
        const after = formatDuration(request.timeoutMs);
        const why = `\`${request.command}\`: timed out after ${after}`;
        return { why, logTail: cutTail(error.message) };
      }
    },
    tearDown: async (request) => {
      await command(request, [0]);
    },
    stamp: async (path) => stampOf(path),
  };
}

/** Synchronous, because four of them cost 12 µs and asynchronous ones ten times that. */
function stampOf(path: string): string | undefined {
  const places = ["", ".git/index", ".git/HEAD", ".git/logs/HEAD"];
  const stats = places.map((place) => statIfPossible(join(path, place)));
  if (stats[0] === undefined) return undefined;
  return stats.map((stat) => (stat === undefined ? "-" : `${stat.size}:${stat.mtimeMs}`)).join(" ");
}

/** What an agent has made unreadable is as good as absent. */
function statIfPossible(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, ["EACCES", "ENOTDIR", "ELOOP"])) return undefined;
    throw error;
  }
}

/**
 * Neither side follows a link on the way: a branch can put one at any place of the checkout and of the
 * workspace. Of a link to a file the content is copied, so that what an agent writes there stays in its
 * workspace; any other link arrives as a link to the same place.
 */
async function copyOnce(request: SetUpRequest, file: string): Promise<void> {
  const { above, name } = splitPath(byteString(file));
  await using checkout = await ifThere(Folder.open(request.from));
  await using source = await checkout?.enter(above);
  const found = await source?.stat(name);
  if (source === undefined || found === undefined) return;
  await using workspace = await Folder.open(request.path);
  await using target = await workspace.make(above);
  if ((await target.stat(name)) !== undefined) return;
  if (found.isDirectory()) return await copyFolder(request, { source, target, name, file });
  if (!found.isSymbolicLink()) {
    // A FIFO would keep the copy waiting for a writer.
    if (!found.isFile()) throw notAFile(request, file);
    return await copyFile(source.at(name), target.at(name), COPY_FLAGS);
  }
  const linked = await openUntrusted(source.at(name).toString(), { follow: true });
  if (linked !== undefined) return await copyContent(linked, target.at(name));
  const place = dirname(join(request.from, file));
  await symlink(resolve(place, await readlink(source.at(name))), target.at(name));
}

/** Beside its place first, so that what is there is whole. What is no file, folder or link stays out. */
async function copyFolder(
  { from }: SetUpRequest,
  { source, target, name, file }: { source: Folder; target: Folder; name: string; file: string },
): Promise<void> {
  const beside = `${name}.pawl-new`;
  await target.remove(beside);
  try {
    await cp(source.at(name).toString(), target.at(beside).toString(), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (path) => isCopied(await lstat(path)),
    });
  } catch (error) {
    await target.remove(beside);
    throw notCopied(from, file, error);
  }
  await rename(target.at(beside), target.at(name));
}

const isCopied = (stats: Stats): boolean =>
  stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();

const notCopied = (from: string, file: string, cause: unknown): OperationError =>
  new OperationError(
    `cannot copy ${file} from ${from} into a workspace: ${cause instanceof Error ? cause.message : String(cause)}`,
    { code: "not-copied", hint: "see `copy` under [workspace] in pawl.toml", cause },
  );

/** By reference where the file system can (Btrfs, XFS, APFS), else by content. */
const COPY_FLAGS = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

const notAFile = ({ from }: SetUpRequest, file: string): OperationError =>
  new OperationError(`cannot copy ${file} from ${from} into a workspace: it is not a file`, {
    code: "not-a-file",
    hint: "name files and folders under `copy` of [workspace]",
  });

/** Whole or not at all; `from` is closed. */
async function copyContent(from: FileHandle, to: Buffer): Promise<void> {
  await using source = from;
  const { mode } = await source.stat();
  const made = await open(to, "wx", mode & 0o777);
  try {
    await pipeline(source.createReadStream({ autoClose: false }), made.createWriteStream());
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

const exists = async (path: string): Promise<boolean> => (await ifThere(lstat(path))) !== undefined;
