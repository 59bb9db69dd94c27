// A folder that is held open. What is inside is reached one name at a time, and no link is followed
// on the way: each step opens the next folder relative to the one before, so that a link that
// replaces a folder meanwhile leads nowhere. Everything that writes or deletes by a path from a
// branch, a checkpoint or the configuration goes through here. Paths are byte strings (Latin-1),
// because file names need not be UTF-8; they may be longer than the system takes in one piece.
import { randomUUID } from "node:crypto";
import { constants, existsSync, type Stats } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  unlink,
  type FileHandle,
} from "node:fs/promises";
import { basename, dirname } from "node:path";
import { hasCode, isAbsent, isForbidden } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";

const AS_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Where there is no /proc (macOS), every step is checked by itself, and names a real path. */
const HAS_PROC = existsSync("/proc/self/fd");

export const bytes = (path: string): Buffer => Buffer.from(path, "latin1");
/** A byte string of text that is UTF-8. */
export const byteString = (text: string): string => Buffer.from(text).toString("latin1");

export class Folder {
  readonly #handle: FileHandle;
  readonly #real: Buffer;

  private constructor(handle: FileHandle, real: Buffer) {
    this.#handle = handle;
    this.#real = real;
  }

  /** The folder itself must not be a link; what leads to it is the caller's own. */
  static async open(path: string | Buffer): Promise<Folder> {
    const real = Buffer.from(path);
    return new Folder(await open(real, AS_FOLDER), real);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A name of this folder that every program of ours can use while it is open. */
  get path(): string {
    return HAS_PROC ? `/proc/${process.pid}/fd/${this.#handle.fd}` : this.#real.toString();
  }

  /** What the system is given to reach an entry of this folder. */
  at(name: string): Buffer {
    if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) throw notAName(name);
    const base = HAS_PROC ? Buffer.from(`/proc/self/fd/${this.#handle.fd}`) : this.#real;
    return Buffer.concat([base, Buffer.from("/"), bytes(name)]);
  }

  /** Undefined where nothing has this name. */
  stat(name: string): Promise<Stats | undefined> {
    return ifThere(lstat(this.at(name)));
  }

  async names(): Promise<string[]> {
    const own = HAS_PROC ? Buffer.from(this.path) : this.#real;
    const entries = await readdir(own, { encoding: "buffer" });
    return entries.map((entry) => entry.toString("latin1"));
  }

  /** The folder at a path below this one; undefined where there is none, or a link on the way. */
  async enter(path: string): Promise<Folder | undefined> {
    return this.#walk(path, async (folder, name) => {
      try {
        return await folder.#step(name);
      } catch (error) {
        if (isAbsent(error) || isNoFolder(error)) return undefined;
        throw error;
      }
    });
  }

  /** The same, made where it is missing. What is no folder on the way is given to `inTheWay` first. */
  async make(
    path: string,
    inTheWay?: (folder: Folder, name: string, path: string) => Promise<void>,
  ): Promise<Folder> {
    const made = await this.#walk(path, async (folder, name, below) => {
      const there = await folder.stat(name);
      if (there !== undefined && !there.isDirectory()) {
        if (inTheWay === undefined) throw leadsAway(below);
        await inTheWay(folder, name, below);
      }
      await mkdir(folder.at(name)).catch((error: unknown) => {
        if (!hasCode(error, ["EEXIST"])) throw error;
      });
      return folder.#step(name);
    });
    if (made === undefined) throw leadsAway(path);
    return made;
  }

  async #walk(
    path: string,
    step: (folder: Folder, name: string, below: string) => Promise<Folder | undefined>,
  ): Promise<Folder | undefined> {
    const names = partsOf(path);
    let folder = await Folder.open(HAS_PROC ? Buffer.from(`${this.path}/.`) : this.#real);
    for (const [index, name] of names.entries()) {
      await using current = folder;
      const next = await step(current, name, names.slice(0, index + 1).join("/"));
      if (next === undefined) return undefined;
      folder = next;
    }
    return folder;
  }

  async #step(name: string): Promise<Folder> {
    const real = Buffer.concat([this.#real, Buffer.from("/"), bytes(name)]);
    return new Folder(await open(this.at(name), AS_FOLDER), real);
  }

  /** Removes one entry, a folder with everything in it; nothing behind a link is touched. */
  async remove(name: string): Promise<void> {
    const there = await this.stat(name);
    if (there === undefined) return;
    if (!there.isDirectory()) return unlink(this.at(name));
    await this.#removeFolder(name);
  }

  /**
   * Folders inside are moved up to the first one before they are emptied, so that neither the depth
   * of a tree nor the number of open files has a say.
   */
  async #removeFolder(name: string): Promise<void> {
    const scratch = `pawl-removing-${randomUUID()}-`;
    await using root = await this.#openForRemoval(name);
    const waiting = await root.#unlinkFiles();
    let count = 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await using folder = await root.#openForRemoval(next);
      for (const inner of await folder.#unlinkFiles()) {
        const moved = `${scratch}${(count += 1)}`;
        await moveFolder(folder, inner, root.at(moved));
        waiting.push(moved);
      }
      await rmdir(root.at(next));
    }
    await rmdir(this.at(name));
  }

  /** Removes all entries but the folders, whose names it answers. */
  async #unlinkFiles(): Promise<string[]> {
    const names = await this.names();
    const folders: string[] = [];
    for (let at = 0; at < names.length; at += CHUNK) {
      const chunk = names.slice(at, at + CHUNK);
      const inner = await Promise.all(chunk.map((name) => unlinkUnlessFolder(this, name)));
      folders.push(...inner.filter((name) => name !== undefined));
    }
    return folders;
  }

  /** Some tools (module caches) make folders read-only, which only root can empty as they are. */
  async #openForRemoval(name: string): Promise<Folder> {
    try {
      const folder = await this.#step(name);
      await folder.#handle.chmod(0o700);
      return folder;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await chmod(this.at(name), 0o700);
      return this.#step(name);
    }
  }
}

/** Entries at once: enough to be quick, few enough not to hold up the daemon. */
const CHUNK = 64;

async function unlinkUnlessFolder(folder: Folder, name: string): Promise<string | undefined> {
  if ((await folder.stat(name))?.isDirectory() === true) return name;
  await unlink(folder.at(name)).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
  return undefined;
}

/** A folder that moves must be writable itself, because its `..` changes. */
async function moveFolder(folder: Folder, name: string, to: Buffer): Promise<void> {
  try {
    await rename(folder.at(name), to);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await chmod(folder.at(name), 0o700);
    await rename(folder.at(name), to);
  }
}

/** The names of a path that leads nowhere but down; throws for any other. */
export function partsOf(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (path.startsWith("/") || names.includes("..") || path.includes("\0")) throw leadsAway(path);
  return names;
}

/** Where a path ends: the folder that holds it, as a path, and its last name. */
export function splitPath(path: string): { above: string; name: string } {
  const names = partsOf(path);
  const name = names.pop();
  if (name === undefined) throw leadsAway(path);
  return { above: names.join("/"), name };
}

/** Removes what is at a path below a folder, if anything is; a link on the way ends the search. */
export async function removeInside(root: string, path: string): Promise<void> {
  await using folder = await Folder.open(root);
  const { above, name } = splitPath(byteString(path));
  await using holder = await folder.enter(above);
  await holder?.remove(name);
}

/** Opens a regular file below a folder to read it; undefined where there is none, or a link on the way. */
export async function openInside(root: string, path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const { above, name } = splitPath(byteString(path));
  let file: FileHandle | undefined;
  try {
    await using folder = await Folder.open(root);
    await using holder = await folder.enter(above);
    file = holder === undefined ? undefined : await open(holder.at(name), flags);
    if (file === undefined || (await file.stat()).isFile()) return file;
  } catch (error) {
    if (!isAbsent(error) && !isForbidden(error) && !hasCode(error, ["ELOOP", "ENXIO"])) throw error;
  }
  await file?.close();
  return undefined;
}

/** Removes a folder of our own with everything in it; a link in its place is all that goes. */
export async function removeTree(path: string): Promise<void> {
  const holder = await ifThere(Folder.open(dirname(path)));
  if (holder === undefined) return;
  await using folder = holder;
  await folder.remove(byteString(basename(path)));
}

/** What `open` says of something that is there and is no folder. */
const isNoFolder = (error: unknown): boolean => hasCode(error, ["ENOTDIR", "ELOOP"]);

const shown = (path: string): string => bytes(path).toString("utf8");

const notAName = (name: string): OperationError =>
  new OperationError(`cannot use ${JSON.stringify(shown(name))} as the name of a file`, {
    code: "path-outside",
  });

const leadsAway = (path: string): OperationError =>
  new OperationError(`cannot use the path ${shown(path)}: it leads out of its folder`, {
    code: "path-outside",
    hint: "a link, a file or `..` is where a folder is expected",
  });
