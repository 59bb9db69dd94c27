// Runs the resolver on each conflicted file of a scratch checkout: without a shell, with limits on time
// and output, with an environment that holds nothing of the user's. Every way in which it does not help
// is one error, `not-resolved`, that says why.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../core/ids.ts";
import { hasMarks } from "../../core/merge-queue/resolver.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { run } from "../shared/run.ts";
import { copyUntrusted } from "../shared/untrusted-file.ts";
import type { ConflictedFile } from "./conflicted.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";

const TIMEOUT_MS = 60_000;
const OUTPUT_MAX_BYTES = 1024 * 1024;
const FILE_MAX_BYTES = 8 * 1024 * 1024;
/** What `git merge-file` exits with where it could not merge at all, e.g. a binary file. */
const NO_MERGE = 255;
/** The most conflicts that its exit code tells of; what is above means that it failed. */
const CONFLICTS_MAX = 127;

type Sides = { ours: string; base: string; theirs: string };
type Request = { folder: string; tree: Tree; files: ConflictedFile[]; resolve: string[] };

export async function solve(
  context: GitContext,
  request: Request,
): Promise<Map<ConflictedFile, Buffer>> {
  const { folder, tree, files } = request;
  const made = new Map<ConflictedFile, Buffer>();
  if (files.length === 0) return made;
  const top = join(folder, "tree");
  for (const name of ["tree", "home", "tmp"]) await mkdir(join(folder, name), { mode: 0o700 });
  await context.git({
    args: ["read-tree", "--reset", "-u", "-v", tree],
    cwd: top,
    env: {
      ...rawEnvironment(context),
      GIT_WORK_TREE: top,
      GIT_INDEX_FILE: join(folder, "tree.index"),
    },
    what: "make a scratch checkout for the resolver",
  });
  for (const file of files) made.set(file, await solveOne(context, request, file));
  return made;
}

async function solveOne(
  context: GitContext,
  { folder, resolve }: Request,
  file: ConflictedFile,
): Promise<Buffer> {
  const top = join(folder, "tree");
  const path = join(top, file.path);
  const sides = await sidesOf(context, folder, file);
  await writeMarks(context, { folder, sides, path });
  const [program, ...args] = resolve.map((part) => part.replaceAll("{file}", `./${file.path}`));
  await ask(context, { argv: [program ?? "", ...args], folder, file });
  const result = join(folder, "result");
  if (!(await copyUntrusted({ from: path, to: result, maxBytes: FILE_MAX_BYTES }))) {
    throw unresolved(`${program} left no file of at most 8 MiB at ${file.path}`);
  }
  const bytes = await readFile(result);
  // Bytes as characters: a mark is ASCII in every encoding that git merges as text.
  const both = await Promise.all([
    readFile(sides.ours, "latin1"),
    readFile(sides.theirs, "latin1"),
  ]);
  if (hasMarks(bytes.toString("latin1"), both))
    throw unresolved(`${program} left conflict marks in ${file.path}`);
  return bytes;
}

async function ask(
  context: GitContext,
  asked: { argv: [string, ...string[]]; folder: string; file: ConflictedFile },
): Promise<void> {
  const { argv, folder, file } = asked;
  try {
    const { truncated } = await run({
      argv,
      cwd: join(folder, "tree"),
      env: {
        PATH: (context.env ?? process.env)["PATH"],
        HOME: join(folder, "home"),
        TMPDIR: join(folder, "tmp"),
        LC_ALL: "C.UTF-8",
        // What is above the checkout is the hub: a program that asks git must not find it.
        GIT_CEILING_DIRECTORIES: folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: OUTPUT_MAX_BYTES,
      overflow: "truncate",
      what: `resolve ${file.path}`,
    });
    if (truncated) throw unresolved(`${argv[0]} wrote more than 1 MiB of output`);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw unresolved(error.message);
  }
}

/** The three versions as files; an empty base where both sides added it. */
async function sidesOf(context: GitContext, folder: string, file: ConflictedFile): Promise<Sides> {
  const sides = {
    ours: join(folder, "ours"),
    base: join(folder, "base"),
    theirs: join(folder, "theirs"),
  };
  for (const side of ["ours", "base", "theirs"] as const) {
    const blob = file[side];
    await writeFile(sides[side], blob === undefined ? "" : await blobBytes(context, file, blob));
  }
  return sides;
}

async function blobBytes(context: GitContext, { path }: ConflictedFile, blob: string) {
  const limits = { maxBytes: FILE_MAX_BYTES, overflow: "truncate" } as const;
  const { bytes, truncated } = await context.inHub(["cat-file", "blob", blob], limits);
  if (truncated) throw unresolved(`${path} has more than 8 MiB`);
  return bytes;
}

/** With the base between the marks (diff3), which is what resolvers work from. */
async function writeMarks(
  context: GitContext,
  { folder, sides, path }: { folder: string; sides: Sides; path: string },
): Promise<void> {
  const labels = ["ours", "base", "theirs"].flatMap((name) => ["-L", name]);
  const args = ["merge-file", "-p", "--diff3", ...labels, sides.ours, sides.base, sides.theirs];
  const codes = Array.from({ length: NO_MERGE + 1 }, (_, code) => code);
  const { exitCode, bytes, stderr } = await context.inHub(args, { cwd: folder, expect: codes });
  if (exitCode === NO_MERGE) throw unresolved("a binary file conflicts");
  if (exitCode > CONFLICTS_MAX) {
    throw unresolved(`git merge-file failed with exit code ${exitCode}: ${stderr}`);
  }
  // Merged another way there is no conflict: then git's own marks stay in the file.
  if (exitCode !== 0) await writeFile(path, bytes);
}

const unresolved = (why: string): OperationError =>
  new OperationError(why, { code: "not-resolved" });
