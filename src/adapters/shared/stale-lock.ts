// Whether a lock file of git in a repository of Pawl's was left behind by a git process that died. A lock from before
// the machine was started belongs to no one; which boot has used a repository is noted inside it.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { bootId } from "./process-table.ts";

/** No command of ours on the hub takes longer. */
const LOCK_STALE_MS = 15 * 60_000;
/** Git holds the lock of one ref only while it writes it. */
const REF_LOCK_STALE_MS = 60_000;

/** `hub` is the repository, `name` the lock's path in it. */
export async function isStaleLock(
  hub: string,
  name: string,
  { now, boot = bootId }: { now: number; boot?: string },
): Promise<boolean> {
  const there = await ifThere(stat(join(hub, name)));
  if (there === undefined) return false;
  const staleMs = name.startsWith("refs/") ? REF_LOCK_STALE_MS : LOCK_STALE_MS;
  return now - there.mtimeMs > staleMs || (await isOfEarlierBoot(hub, boot));
}

const noteOf = (hub: string): string => join(hub, "pawl", "boot");

/** Nothing of ours has run here since the machine was started. */
async function isOfEarlierBoot(hub: string, boot: string): Promise<boolean> {
  const noted = await ifThere(readFile(noteOf(hub), "utf8"));
  return boot !== "" && noted !== undefined && noted.trim() !== boot;
}

/** From here on, locks are of this boot. */
export async function noteBoot(hub: string, boot = bootId): Promise<void> {
  const noted = await ifThere(readFile(noteOf(hub), "utf8"));
  if (noted?.trim() !== boot) await writeFile(noteOf(hub), `${boot}\n`);
}
