// Story files, sprint-status.yaml and retrospectives in the project's folder. Only reads.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { sprintEntries } from "../../core/monitoring/sprint.ts";
import type { SprintEntry } from "../../core/monitoring/sprint.ts";
import type { StoryKey } from "../../core/monitoring/story-key.ts";
import { ifThere } from "../../lib/if-there.ts";
import { ARTIFACTS } from "./build-command.ts";

const STORY_MAX_BYTES = 16 * 1024 * 1024;
const SPRINT_FILES = [`${ARTIFACTS}/sprint-status.yaml`, "_bmad-output/sprint-status.yaml"];

/** Undefined where there is no such file. */
export async function readSprint(root: string): Promise<SprintEntry[] | undefined> {
  for (const path of SPRINT_FILES) {
    const text = await readIfThere(join(root, path));
    if (text !== undefined) return sprintEntries(text);
  }
  return undefined;
}

/** Relative paths of the files `{prefix}-*.md` of a story. */
export async function storyFiles(root: string, { prefix }: StoryKey): Promise<string[]> {
  const names = await namesIn(join(root, ARTIFACTS));
  return names
    .filter((name) => name.startsWith(`${prefix}-`) && name.endsWith(".md"))
    .map((name) => join(ARTIFACTS, name));
}

/** Retrospectives of an epic with the time of their last change. */
export async function retrospectives(
  root: string,
  epic: string,
): Promise<{ path: string; changedAt: number; size: number }[]> {
  const names = (await namesIn(join(root, ARTIFACTS))).filter(
    (name) => name.startsWith(`epic-${epic}-retro`) && name.endsWith(".md"),
  );
  return Promise.all(
    names.map(async (name) => {
      const path = join(ARTIFACTS, name);
      const { mtimeMs, size } = await stat(join(root, path));
      return { path, changedAt: mtimeMs, size };
    }),
  );
}

export const readIfThere = (path: string): Promise<string | undefined> =>
  readUntrusted(path, STORY_MAX_BYTES, { follow: true });

const namesIn = async (folder: string): Promise<string[]> =>
  ((await ifThere(readdir(folder))) ?? []).sort();
