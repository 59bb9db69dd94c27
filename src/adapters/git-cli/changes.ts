// What a watch has seen change in a workspace since it was last looked at, so that a checkpoint need
// not look at every file. Events can be missed: now and then, and wherever something is not known for
// certain, everything is looked at.
import { perContext } from "./context.ts";

/** More than these are found as quickly by looking at everything. */
const PATHS_MAX = 200;
/** Also where nothing seems to have been missed. */
const WHOLE_EVERY_MS = 60_000;

/** By workspace; only while it is watched. */
export const changesOf = perContext(() => new Map<string, Changes>());

export class Changes {
  #paths = new Set<string>();
  /** Something may have changed that has no name here. */
  #isUnknown = true;
  #wholeAt = -Infinity;

  /** A path below the workspace; it may be a folder. */
  add(path: string): void {
    if (this.#paths.size <= PATHS_MAX) this.#paths.add(path);
  }

  addUnknown(): void {
    this.#isUnknown = true;
  }

  /** The paths to look at; undefined: all. What changes from here on is for the next one. */
  take(now: number): string[] | undefined {
    const paths = [...this.#paths];
    const isWhole =
      this.#isUnknown || paths.length > PATHS_MAX || now - this.#wholeAt > WHOLE_EVERY_MS;
    this.#paths = new Set();
    this.#isUnknown = false;
    if (!isWhole && paths.every(isPlain)) return paths;
    this.#wholeAt = now;
    return undefined;
  }
}

/** A rule about what is ignored counts for other paths, too. */
const isPlain = (path: string): boolean =>
  !/(?:^|\/)\.git(?:ignore|attributes)?$/.test(path) && !path.includes("\uFFFD");
