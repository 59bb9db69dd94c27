// State documents on disk: which one is meant, whether the policy it names is still the one it was
// begun with, and the questions a resumed orchestration asks about it.
import { createHash } from "node:crypto";
import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { writeWhole } from "../../adapters/shared/write-whole.ts";
import {
  isComplete,
  parseStateDocument,
  updateStateDocument,
  type StateDocument,
} from "../../core/monitoring/state-document.ts";
import { ifThere } from "../../lib/if-there.ts";
import { readMarker } from "./marker.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { readIfThere } from "./story-files.ts";

export type StateFile =
  | { kind: "none" }
  | { kind: "valid"; path: string; document: StateDocument; legacy: boolean }
  /** `document`: what it says all the same, where only its policy cannot be trusted. */
  | { kind: "invalid"; path: string; error: string; document?: StateDocument };

/** What was said, else the environment's, else the marker's. */
export async function stateFileOf(
  { root, env }: Pick<MonitorPlace, "root" | "env">,
  named: string | undefined,
): Promise<StateFile> {
  const said = [named, env["STORY_AUTOMATOR_STATE_FILE"], await markedFile(root)];
  const path = said.find((one) => one !== undefined && one !== "");
  return path === undefined ? { kind: "none" } : openStateFile(root, path);
}

export async function openStateFile(root: string, path: string): Promise<StateFile> {
  const invalid = (error: string): StateFile => ({ kind: "invalid", path, error });
  const text = await readIfThere(resolve(root, path));
  if (text === undefined) return invalid(`there is no ${path}`);
  const document = parseStateDocument(text);
  if (document === undefined) return invalid(`${path} has no front matter`);
  const drift = await driftOf(root, document);
  if (drift !== undefined) return { kind: "invalid", path, error: drift, document };
  const legacy = (document.keys["policySnapshotFile"] ?? "") === "";
  return { kind: "valid", path, document, legacy };
}

/** The rules an orchestration began with are its rules: changed, missing or elsewhere, nothing goes on. */
async function driftOf(root: string, { keys }: StateDocument): Promise<string | undefined> {
  const { policySnapshotFile: file = "", policySnapshotHash: hash = "" } = keys;
  if (file === "") return undefined;
  const text = await readIfThere(resolve(root, file));
  if (text === undefined) return `the policy snapshot ${file} is missing`;
  const inside = relative(await realpath(root), await realpath(resolve(root, file)));
  if (inside.startsWith("..") || isAbsolute(inside)) return `${file} is outside the project`;
  const sums = ["md5", "sha256"].map((kind) => createHash(kind).update(text).digest("hex"));
  if (hash.length >= 8 && sums.some((sum) => sum.startsWith(hash))) return undefined;
  return `the policy snapshot ${file} has changed since the orchestration began`;
}

async function markedFile(root: string): Promise<string | undefined> {
  const text = await readMarker(root);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { stateFile?: string }).stateFile;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export type Found = { path: string; status: string; lastUpdated: string };

/** Newest last; undefined where there is no such folder. */
export async function listStates(folder: string): Promise<Found[] | undefined> {
  const names = await ifThere(readdir(folder));
  if (names === undefined) return undefined;
  const found: Found[] = [];
  for (const name of names.filter((one) => /^orchestration-.*\.md$/.test(one)).toSorted()) {
    const path = join(folder, name);
    const document = parseStateDocument((await readIfThere(path)) ?? "");
    const { status = "", lastUpdated = "" } = document?.keys ?? {};
    if (document !== undefined) found.push({ path, status, lastUpdated });
  }
  return found.toSorted((a, b) => a.lastUpdated.localeCompare(b.lastUpdated));
}

export const isIncomplete = ({ status }: Found): boolean =>
  !isComplete({ keys: { status }, lastAction: "" });

/** Written whole: a reader never sees half of it. Undefined where there is none. */
export async function changeState(
  path: string,
  changes: Readonly<Record<string, string>>,
): Promise<string[] | undefined> {
  const text = await readIfThere(path);
  if (text === undefined || parseStateDocument(text) === undefined) return undefined;
  const { text: next, updated } = updateStateDocument(text, changes);
  if (updated.length > 0) await writeWhole(path, next);
  return updated;
}
