// Reports that something in a workspace may have changed, at no cost while nothing does: asking git
// costs 15 ms of CPU for 2,000 files, which every 2 s for ten idle workspaces is 8 % of a core.
// Folders are watched, not files. Where there are too many folders, or the machine has no watches
// left, a change is reported every 2 s and git is asked. A removed workspace is still watched for:
// another one may be made in its place.
import { lstat } from "node:fs/promises";
import { readFileSync, watch, type FSWatcher } from "node:fs";
import { basename, join } from "node:path";
import { hasCode, isAbsent, isForbidden } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { Changes, changesOf } from "./changes.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { foldersOf } from "./watched-folders.ts";

const FOLDERS_MAX = 4_000;
/** Of one project: a watch costs the daemon about 1 kB. */
const ALL_FOLDERS_MAX = 20_000;
/** Of the watches the user may have on this machine, so that sessions and editors find some too. */
const SHARE_OF_USER = 4;
const LOOK_MS = 2_000;
/** New folders come in bursts (a checkout, a generator). */
const SETTLE_MS = 100;
/** Whether a workspace that is gone is there again: one lstat. */
const ABSENT_MS = 500;

export type WatchRequest = { workspace: string; onChange: () => void };

export function watchWorkspace(context: GitContext, request: WatchRequest): { close(): void } {
  const watched = new WorkspaceWatch(context, request);
  watched.begin();
  return { close: () => watched.close() };
}

/** Folders watched in this project, so that they have a bound together. */
const totalOf = perContext(() => ({ folders: 0, most: mostFolders() }));

function mostFolders(): number {
  const limit = Number(readIfThere("/proc/sys/fs/inotify/max_user_watches") ?? Infinity);
  return Math.min(ALL_FOLDERS_MAX, Math.floor(limit / SHARE_OF_USER));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

class WorkspaceWatch {
  readonly #context: GitContext;
  readonly #request: WatchRequest;
  readonly #folders = new Map<string, FSWatcher>();
  readonly #changes = new Changes();
  #timer: NodeJS.Timeout | undefined;
  #walking = false;
  #again = false;
  #closed = false;

  constructor(context: GitContext, request: WatchRequest) {
    this.#context = context;
    this.#request = request;
  }

  begin(): void {
    this.#walk();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#tellOf(false);
    this.#dropAll();
  }

  /** Whether what changes is known by name: only while every folder is watched. */
  #tellOf(isKnown: boolean): void {
    const all = changesOf(this.#context);
    const { workspace } = this.#request;
    if (isKnown) all.set(workspace, this.#changes);
    else if (all.get(workspace) === this.#changes) all.delete(workspace);
  }

  /** One walk at a time; a folder that appears meanwhile leads to another one. */
  #walk(): void {
    if (this.#closed) return;
    this.#again = this.#walking;
    if (this.#walking) return;
    this.#walking = true;
    this.#walkOnce()
      // Where the tree cannot be walked (removed meanwhile, git missing) looking is what remains.
      .catch(() => this.#look())
      .finally(() => {
        this.#walking = false;
        if (this.#again) this.#walk();
      });
  }

  async #walkOnce(): Promise<void> {
    const { workspace } = this.#request;
    if (!(await isFolder(workspace))) return this.#walkSoon(ABSENT_MS);
    const wanted = await foldersOf(this.#context, workspace, FOLDERS_MAX);
    if (this.#closed) return;
    const total = totalOf(this.#context);
    const free = total.most - total.folders + this.#folders.size;
    if (wanted === undefined || wanted.length > free || !this.#watchAll(wanted)) this.#look();
    // Gone since it was walked.
    else if (!this.#folders.has(workspace)) this.#walkSoon(ABSENT_MS);
    // What was written before its folder was watched has had no event.
    this.#changes.addUnknown();
    this.#tellOf(
      wanted?.every((folder) => this.#folders.has(folder) || isOptional(folder)) === true,
    );
    this.#request.onChange();
  }

  #watchAll(wanted: string[]): boolean {
    const names = new Set(wanted);
    for (const folder of this.#folders.keys()) if (!names.has(folder)) this.#drop(folder);
    return wanted.every((folder) => this.#folders.has(folder) || this.#add(folder));
  }

  /** False where the machine has no watches left. */
  #add(folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: false, encoding: "buffer" }, (kind, name) =>
        this.#changed(folder, kind === "rename" ? name : null, name),
      );
      watcher.on("error", () => {
        this.#changes.addUnknown();
        this.#drop(folder);
      });
      this.#folders.set(folder, watcher);
      totalOf(this.#context).folders += 1;
      return true;
    } catch (error) {
      if (hasCode(error, ["ENOSPC", "EMFILE"])) return false;
      // Gone or closed to us: there is nothing to watch.
      if (isAbsent(error) || isForbidden(error)) return true;
      throw error;
    }
  }

  #changed(folder: string, appeared: Buffer | null, changed: Buffer | null): void {
    if (this.#closed) return;
    this.#note(folder, changed);
    this.#request.onChange();
    if (appeared === null || /\/\.git(?:\/|$)/.test(folder)) return;
    const name = appeared.toString("utf8");
    if (folder === this.#request.workspace && name === basename(folder)) return this.#startOver();
    const path = join(folder, name);
    // A folder that went takes its watch along; one of the same name is another one.
    if (this.#folders.has(path)) this.#dropBelow(path);
    isFolder(path).then(
      (isNew) => {
        if (isNew) this.#walkSoon();
      },
      () => this.#walkSoon(),
    );
  }

  #note(folder: string, name: Buffer | null): void {
    // Commits and what is staged are read from the repository itself, each time.
    if (/\/\.git(?:\/|$)/.test(folder)) return;
    const above = folder.slice(this.#request.workspace.length + 1);
    if (name === null) this.#changes.addUnknown();
    else this.#changes.add(above === "" ? name.toString() : `${above}/${name.toString()}`);
  }

  /** A folder that is removed or moved tells that under its own name: what is watched is not there any more. */
  #startOver(): void {
    this.#tellOf(false);
    this.#dropAll();
    this.#walkSoon();
  }

  #walkSoon(delayMs = SETTLE_MS): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#walk();
    }, delayMs).unref();
  }

  /** From here on it is asked, not told. */
  #look(): void {
    if (this.#closed) return;
    this.#tellOf(false);
    this.#dropAll();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#request.onChange();
      this.#look();
    }, LOOK_MS).unref();
  }

  #drop(folder: string): void {
    const watcher = this.#folders.get(folder);
    if (watcher === undefined) return;
    watcher.close();
    this.#folders.delete(folder);
    totalOf(this.#context).folders -= 1;
  }

  #dropBelow(path: string): void {
    for (const folder of this.#folders.keys()) {
      if (folder === path || folder.startsWith(`${path}/`)) this.#drop(folder);
    }
  }

  #dropAll(): void {
    for (const folder of this.#folders.keys()) this.#drop(folder);
  }
}

/** Parts of a repository that need not be there. */
const isOptional = (folder: string): boolean => /\/\.git\//.test(folder);

const isFolder = async (path: string): Promise<boolean> =>
  (await ifThere(lstat(path)))?.isDirectory() ?? false;
