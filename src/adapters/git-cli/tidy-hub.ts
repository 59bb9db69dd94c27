// Keeps the hub small: every checkpoint leaves a few loose objects, thousands in a busy hour.
// Packing drops nothing. Once a week what nothing refers to goes too, if it is older than 30 days.
// What a workspace borrows from the hub is named there by its branch and its checkpoints. A folder that
// a person has restored has its work itself, and the target that it borrows from is named by a ref.
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import type { GitContext } from "./context.ts";
import { resolve } from "./refs.ts";
import { removeSeed } from "./seed-hub.ts";
import { removeLeftSpares } from "./spare-checkout.ts";

const LOOSE_MAX = 2_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;
const SWEEP_EVERY_MS = 7 * 24 * 60 * 60_000;

export async function tidyHub(
  context: GitContext,
  { now, signal, sweep }: { now: number; signal?: AbortSignal; sweep?: boolean },
): Promise<void> {
  const how = signal === undefined ? {} : { signal };
  await context.serial("tidy", async () => {
    await removeUnfinished(context, now);
    await removeLeftSpares(context, now);
    // The first fetch removes them itself, unless it was ended between the two.
    if ((await resolve(context, context.targetRef)) !== undefined) await removeSeed(context);
    if (sweep === true || (await isSweepDue(context, now))) {
      const before = now - KEPT_MS;
      const args = ["gc", "--quiet", "--cruft", `--prune=@${Math.floor(before / 1000)} +0000`];
      await context.inHub(args, { ...how, what: "sweep the hub" });
      await writeFile(stamp(context), `${now}\n`);
      return;
    }
    const counted = await context.inHub(["count-objects"]);
    if (Number.parseInt(counted.stdout, 10) < LOOSE_MAX) return;
    const args = ["repack", "-d", "--geometric=2", "--quiet"];
    await context.inHub(args, { ...how, what: "pack the hub" });
  });
}

/** A fetch that was ended leaves what it had received: gigabytes, which no later one uses. */
async function removeUnfinished({ hub, privateDir }: GitContext, now: number): Promise<void> {
  const caches = join(privateDir, "submodules");
  const names = (await ifThere(readdir(caches))) ?? [];
  for (const repository of [hub, ...names.map((name) => join(caches, name))]) {
    const packs = join(repository, "objects", "pack");
    const received = (await ifThere(readdir(packs))) ?? [];
    for (const name of received.filter((one) => one.startsWith("tmp_"))) {
      const path = join(packs, name);
      const written = await ifThere(stat(path));
      if (written !== undefined && now - written.mtimeMs > UNFINISHED_MS) {
        await rm(path, { force: true });
      }
    }
  }
}

/** What is still being received grows all the time. */
const UNFINISHED_MS = 24 * 60 * 60_000;

const stamp = (context: GitContext): string => join(context.privateDir, "swept");

/** The first sweep is a week after the hub was first looked at, and not at the first start. */
async function isSweepDue(context: GitContext, now: number): Promise<boolean> {
  const swept = await ifThere(stat(stamp(context)));
  if (swept !== undefined) return Math.abs(now - swept.mtimeMs) > SWEEP_EVERY_MS;
  await writeFile(stamp(context), `${now}\n`);
  return false;
}
