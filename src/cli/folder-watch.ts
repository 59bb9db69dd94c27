// Wakes a command when something in a folder of the factory was made, removed or written, so that it
// need not look again and again: a daemon that starts puts its socket there, one that ends removes it
// and frees the lock.
import { watch, type FSWatcher } from "node:fs";

/** An event may be lost where the kernel's queue is full: after this time a command looks all the same. */
const LOOK_MS = 2000;
/** Where changes are not reported: the folder is not there, or this user has no watches left. */
const BLIND_LOOK_MS = 100;

export type FolderWatch = {
  /**
   * Resolves when something may have changed since it was asked last, or after `maxMs`; true where a
   * change was reported.
   */
  changed(maxMs?: number): Promise<boolean>;
  close(): void;
};

export function watchFolders(folders: readonly string[]): FolderWatch {
  let hasChanged = false;
  let isBlind = false;
  let wake = (): void => undefined;
  const report = (): void => {
    hasChanged = true;
    wake();
  };
  const goBlind = (): void => {
    isBlind = true;
    report();
  };
  const watchers = folders.map((folder) => watched(folder, { onChange: report, onError: goBlind }));
  return {
    async changed(maxMs = isBlind ? BLIND_LOOK_MS : LOOK_MS) {
      if (!hasChanged) await new Promise<void>(sleepUntilWoken(maxMs));
      const wasChanged = hasChanged;
      hasChanged = false;
      return wasChanged;
    },
    close: () => {
      for (const watcher of watchers) watcher?.close();
      // A timer would keep the command alive.
      wake();
    },
  };

  function sleepUntilWoken(maxMs: number) {
    return (resolve: () => void): void => {
      const timer = setTimeout(resolve, maxMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    };
  }
}

function watched(
  folder: string,
  { onChange, onError }: { onChange: () => void; onError: () => void },
): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on("error", onError);
    return watcher;
  } catch {
    // ENOENT, or ENOSPC where no watch is left: the caller looks for itself.
    onError();
    return undefined;
  }
}
