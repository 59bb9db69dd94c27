// Watches a session's folders, never single files: a watch on a file dies with its first rename.
// Events are only a reason to look; where the machine has no watches left, the lister remains.
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { errorCode } from "../../lib/error-code.ts";

export type FolderWatches = {
  /** Watches what could not be watched before, e.g. because it was not there. */
  renew(): void;
  close(): void;
};

export type FolderEvents = {
  onEvent: () => void;
  /** Said once for each session. */
  onWarning: (message: string) => void;
  /** How one folder is watched; node's own unless told. */
  watchFolder?: (folder: string, onEvent: () => void) => FSWatcher;
};

export function watchFolders(folders: string[], events: FolderEvents): FolderWatches {
  const { watchFolder = watch } = events;
  const watchers = new Map<string, FSWatcher>();
  let warned = false;
  const warn = (folder: string, error: unknown): void => {
    if (warned) return;
    warned = true;
    const what = error instanceof Error ? error.message : String(error);
    events.onWarning(`cannot watch ${folder}, so it is listed every 2 s instead: ${what}`);
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const add = (folder: string): void => {
    try {
      const watcher = watchFolder(folder, events.onEvent);
      watcher.on("error", (error) => {
        warn(folder, error);
        drop(folder);
      });
      watchers.set(folder, watcher);
    } catch (error) {
      // A folder that is not there yet is no news.
      if (errorCode(error) !== "ENOENT") warn(folder, error);
    }
  };
  const renew = (): void => {
    for (const folder of folders) if (!watchers.has(folder)) add(folder);
  };
  renew();
  return {
    renew,
    close: () => {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}
