// Sparse checkouts: only some folders of a commit are files, in git's cone mode (those folders, and
// the files directly in the folders above them). Everything else stays in the index, marked as left
// out, so that a commit keeps it. Folders and paths are byte strings (Latin-1).
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byteString } from "../shared/folder.ts";
import { readUntrusted, statUntrusted } from "../shared/untrusted-file.ts";
import { section } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { listedPaths } from "./scan.ts";

/** For calls over a repository or an index that may be sparse: a file that is there counts as there. */
export const SPARSE: [string, string][] = [
  ["core.sparseCheckout", "true"],
  ["core.sparseCheckoutCone", "true"],
];

const patternsIn = (dir: string): string => join(dir, "info", "sparse-checkout");

/** An agent may make its own workspace sparse, too. */
export const isSparse = async (workspace: string): Promise<boolean> =>
  (await statUntrusted(patternsIn(join(workspace, ".git")))) !== undefined;

/** From now on checkouts of this repository hold only these folders. */
export const makeSparse = (dir: string, folders: readonly string[]): Promise<void> =>
  takePatterns(dir, conePatterns(folders));

const PATTERNS_MAX_BYTES = 1024 * 1024;

/** Those of a workspace; empty where they cannot be read. */
export const readPatterns = async (workspace: string): Promise<string> =>
  (await readUntrusted(patternsIn(join(workspace, ".git")), PATTERNS_MAX_BYTES)) ?? "";

/** The same for another repository. */
export async function takePatterns(dir: string, patterns: string): Promise<void> {
  await mkdir(join(dir, "info"), { recursive: true });
  await writeFile(patternsIn(dir), patterns);
  await useSparse(dir);
}

const useSparse = (dir: string): Promise<void> =>
  appendFile(
    join(dir, "config"),
    section("core", [
      ["sparseCheckout", "true"],
      ["sparseCheckoutCone", "true"],
    ]),
  );

/** A git folder over a bare repository of ours, for one checkout of these folders alone. */
export async function withSparseView<T>(
  context: GitContext,
  { dir, folders }: { dir: string; folders: readonly string[] },
  work: (view: string) => Promise<T>,
): Promise<T> {
  const view = join(context.privateDir, "checkouts", `${randomUUID()}.view`);
  try {
    await mkdir(join(view, "info"), { recursive: true });
    await writeFile(patternsIn(view), conePatterns(folders));
    await writeFile(join(view, "HEAD"), "ref: refs/heads/none\n");
    await writeFile(join(view, "commondir"), `${dir}\n`);
    return await work(view);
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

/** As `git sparse-checkout set --cone` writes them. */
export function conePatterns(folders: readonly string[]): string {
  const wanted = outermost(folders);
  const above = [...new Set(wanted.flatMap(parentsOf))].toSorted();
  const lines = [
    "/*",
    "!/*/",
    ...above.flatMap((folder) => [`/${escaped(folder)}/`, `!/${escaped(folder)}/*/`]),
    ...wanted.map((folder) => `/${escaped(folder)}/`),
  ];
  return `${lines.join("\n")}\n`;
}

const escaped = (folder: string): string => folder.replaceAll(/[\\*?[]/g, String.raw`\$&`);

const cleaned = (folder: string): string =>
  folder
    .split("/")
    .filter((name) => name !== "")
    .join("/");

/** Each once, without those inside another one. */
function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders.map(cleaned))].toSorted();
  return all.filter((one) => !all.some((other) => one.startsWith(`${other}/`)));
}

const parentsOf = (folder: string): string[] =>
  folder
    .split("/")
    .slice(0, -1)
    .map((_, at, names) => names.slice(0, at + 1).join("/"));

/** Whether a path is a file in such a checkout. */
export function coneOf(folders: readonly string[]): (path: string) => boolean {
  const wanted = outermost(folders.map(byteString));
  const above = new Set(["", ...wanted.flatMap(parentsOf), ...wanted]);
  return (path) => {
    const slash = path.lastIndexOf("/");
    const folder = slash === -1 ? "" : path.slice(0, slash);
    return above.has(folder) || wanted.some((one) => folder.startsWith(`${one}/`));
  };
}

/** An entry of an index or a tree as text, by path. */
export type Entries = Map<string, string>;

/** The entries of an index, and whether each is left out of the checkout. */
export async function entriesOf(
  context: GitContext,
  call: { cwd: string; env: Record<string, string>; settings?: [string, string][] },
): Promise<{ leftOut: Entries; there: Entries } | undefined> {
  const args = ["ls-files", "-z", "-t", "--stage"];
  // An index that a foreign git wrote may be one that ours cannot read.
  const listed = await context.git({ args, ...call, expect: [0, 128] });
  if (listed.exitCode !== 0) return undefined;
  const found = { leftOut: new Map<string, string>(), there: new Map<string, string>() };
  for (const line of listedPaths(listed.bytes)) {
    const tab = line.indexOf("\t");
    const entry = line.slice(2, tab);
    (line.startsWith("S ") ? found.leftOut : found.there).set(line.slice(tab + 1), entry);
  }
  return found;
}
