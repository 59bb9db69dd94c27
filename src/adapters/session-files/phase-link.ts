// The seeds' path of the phase file, a link in /tmp. A link is ours when our user owns it and it
// leads into the same project's runs, or into a folder that is gone. Anything else is left alone:
// another factory's project may have the same name. The phase itself is read in read-session.ts.
import { randomUUID } from "node:crypto";
import { lstat, readlink, rename, stat, symlink, unlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { errorCode, isAbsent } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";

const TRIES_MAX = 3;

export async function linkPhase(link: string, phaseFile: string): Promise<"linked" | "taken"> {
  const runs = dirname(dirname(dirname(phaseFile)));
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const found = await look(link);
    if (found.kind === "other") return "taken";
    if (found.kind === "link") {
      if (found.target === phaseFile) return "linked";
      if (!isPhaseUnder(runs, found.target) && !(await isStranded(found.target))) return "taken";
      await replace(link, phaseFile);
      return "linked";
    }
    if (await make(link, phaseFile)) return "linked";
  }
  return "taken";
}

/** Removes the link if it leads to any epoch of this run. */
export async function unlinkPhase(link: string, phaseFile: string): Promise<void> {
  const found = await look(link);
  if (found.kind !== "link") return;
  if (dirname(dirname(found.target)) !== dirname(dirname(phaseFile))) return;
  try {
    await unlink(link);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

type Found = { kind: "nothing" } | { kind: "other" } | { kind: "link"; target: string };

async function look(link: string): Promise<Found> {
  try {
    const stat = await lstat(link);
    if (!stat.isSymbolicLink() || stat.uid !== process.getuid?.()) return { kind: "other" };
    return { kind: "link", target: await readlink(link) };
  } catch (error) {
    if (isAbsent(error)) return { kind: "nothing" };
    // Something else took its place between the two questions.
    if (errorCode(error) === "EINVAL") return { kind: "other" };
    throw error;
  }
}

const isPhaseUnder = (runs: string, target: string): boolean =>
  isAbsolute(target) && dirname(dirname(dirname(target))) === runs;

/** The folder counts, not the file: an epoch that has not spoken yet has no phase file. */
const isStranded = async (target: string): Promise<boolean> =>
  (await ifThere(stat(dirname(target)))) === undefined;

async function make(link: string, phaseFile: string): Promise<boolean> {
  try {
    await symlink(phaseFile, link);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** By rename, so that a reader always finds one or the other. */
async function replace(link: string, phaseFile: string): Promise<void> {
  const temporary = join(dirname(link), `.${basename(link)}.${randomUUID()}`);
  await symlink(phaseFile, temporary);
  try {
    await rename(temporary, link);
  } catch (error) {
    await unlink(temporary);
    throw error;
  }
}
