// Brings checkpoints and branches of a lost machine from the private remote into this hub. What the
// hub has of its own stays as it is; the next life of each identity starts from what was fetched.
import type { Recovered } from "../../ports/checkpoints.ts";
import { CHECKPOINT_REFS } from "./checkpoint.ts";
import { readNote } from "./checkpoint-note.ts";
import type { Refs } from "./checkpoint-remote.ts";
import {
  localRefs,
  readSent,
  remoteRefs,
  remoteUnreachable,
  remoteUrl,
  writeSent,
} from "./checkpoint-remote.ts";
import { readCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { FETCH, NETWORK_TIMEOUT_MS } from "./context.ts";

/** A command line has its limits. */
const REFS_MAX = 200;

export async function recoverCheckpoints(
  context: GitContext,
  { from }: { from: string },
): Promise<Recovered[]> {
  const url = await remoteUrl(context, from);
  return context.serial("checkpoint remote", async () => {
    const [there, before] = [await remoteRefs(context, url), await localRefs(context)];
    const missing = [...there.keys()].filter((ref) => !before.has(ref));
    await fetchRefs(context, url, missing);
    await context.crash("git.recover.fetched");
    const sent = await readSent(context, url);
    for (const [ref, commit] of there) if (!before.has(ref)) sent.set(ref, commit);
    await writeSent(context, url, sent);
    return describe(context, there, before);
  });
}

async function fetchRefs(context: GitContext, url: string, refs: string[]): Promise<void> {
  for (let at = 0; at < refs.length; at += REFS_MAX) {
    const specs = refs.slice(at, at + REFS_MAX).map((ref) => `${ref}:${ref}`);
    const args = [...FETCH, "--end-of-options"];
    const result = await context.inHub([...args, url, ...specs], {
      reach: "upstream",
      timeoutMs: NETWORK_TIMEOUT_MS,
      expect: [0, 1, 128],
      what: "fetch checkpoints",
    });
    if (result.exitCode !== 0) throw remoteUnreachable("fetch checkpoints", result.stderr);
  }
}

async function describe(context: GitContext, there: Refs, before: Refs): Promise<Recovered[]> {
  const found: Recovered[] = [];
  for (const [ref, commit] of there) {
    if (!ref.startsWith(CHECKPOINT_REFS)) continue;
    const own = before.get(ref);
    const kind = own === undefined ? "fetched" : own === commit ? "current" : "kept";
    const shown = own ?? commit;
    const [note, facts] = [await readNote(context, shown), await readCommit(context, shown)];
    found.push({
      identity: ref.slice(CHECKPOINT_REFS.length),
      branch: note.branch?.replace(/^refs\/heads\//, ""),
      commit: shown,
      at: facts.committedAtS * 1000,
      kind,
    });
  }
  return found;
}
