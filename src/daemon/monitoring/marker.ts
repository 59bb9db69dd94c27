// The marker that says an orchestration is under way in a project: .claude/.story-automator-active.
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeWhole } from "../../adapters/shared/write-whole.ts";
import { readIfThere } from "./story-files.ts";

export type Marker = {
  epic: string;
  currentStory: string;
  storiesRemaining: number;
  stateFile: string;
  createdAt: string;
  heartbeat: string;
  pid: number;
  projectSlug: string;
};

export const markerPath = (root: string): string => join(root, ".claude/.story-automator-active");

export async function writeMarker(root: string, marker: Marker): Promise<void> {
  await mkdir(dirname(markerPath(root)), { recursive: true });
  await writeWhole(markerPath(root), `${JSON.stringify(marker)}\n`);
}

export const readMarker = (root: string): Promise<string | undefined> =>
  readIfThere(markerPath(root));

/** False where there is none, or one that cannot be read. */
export async function beatMarker(root: string, heartbeat: string): Promise<boolean> {
  const text = await readMarker(root);
  if (text === undefined) return false;
  const marker = JSON.parse(text) as Marker;
  await writeMarker(root, { ...marker, heartbeat });
  return true;
}

export const removeMarker = (root: string): Promise<void> => rm(markerPath(root), { force: true });
