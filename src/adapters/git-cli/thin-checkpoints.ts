// Makes chains of checkpoints shorter as they age. A chain hangs together by first parents, so that
// leaving links out means writing the later ones again: same tree, same words, same time, another
// parent. The ref moves last, and only from where it was read.
import { KEPT_AFTER_LANDING_MS, keptCheckpoints } from "../../core/session/thinning.ts";
import type { Commit } from "../../core/ids.ts";
import { committerOf } from "./authors.ts";
import { CHECKPOINT_REFS, checkpointRef } from "./checkpoint.ts";
import type { ChainLink } from "./checkpoint-chain.ts";
import { LANDED_REFS, readChain } from "./checkpoint-chain.ts";
import { namedCommits, parseFacts } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { deleteRef, resolve, setRef } from "./refs.ts";

/** Longer chains are thinned from their newest end on; the rest goes with the next look. */
const CHAIN_MAX = 50_000;

type Limits = { now: number; landedMaxMs?: number };

export async function thinCheckpoints(context: GitContext, limits: Limits): Promise<number> {
  const listed = await context.inHub([
    "for-each-ref",
    "--format=%(refname)",
    CHECKPOINT_REFS,
    LANDED_REFS,
  ]);
  let gone = 0;
  for (const ref of listed.stdout.split("\n").filter(Boolean)) {
    gone += await context.serial(ref, () => thinRef(context, ref, limits));
  }
  return gone;
}

async function thinRef(
  context: GitContext,
  ref: string,
  { now, landedMaxMs = KEPT_AFTER_LANDING_MS }: Limits,
): Promise<number> {
  const tip = await resolve(context, ref);
  if (tip === undefined) return 0;
  const links = await readChain(context, tip, CHAIN_MAX);
  if (
    ref.startsWith(LANDED_REFS) &&
    now - landedAt(ref) > Math.min(landedMaxMs, KEPT_AFTER_LANDING_MS)
  ) {
    await deleteRef(context, ref, tip);
    return links.length;
  }
  const dated = links.map(({ number, committedAtS }) => ({ number, at: committedAtS * 1000 }));
  const kept = keptCheckpoints(dated, now);
  if (kept.size === links.length) return 0;
  const oldestFirst = links.filter(({ number }) => kept.has(number)).toReversed();
  const shorter = await rewrite(context, { ref, links: oldestFirst });
  await context.crash("git.thin.rewritten");
  await context.inHub(["update-ref", ref, shorter, tip], { what: `move ${ref}` });
  await context.crash("git.thin.moved");
  return links.length - kept.size;
}

const landedAt = (ref: string): number => Number(ref.slice(ref.lastIndexOf("/") + 1));

/** All in one git: a chain has up to 1,800 links an hour. */
async function rewrite(
  context: GitContext,
  { ref, links }: { ref: string; links: ChainLink[] },
): Promise<Commit> {
  const scratch = `refs/pawl/thinning/${ref.slice("refs/pawl/".length)}`;
  const stream: Buffer[] = [];
  let before: { name: string; link: ChainLink } | undefined;
  for (const [index, link] of links.entries()) {
    const isSame = link.parents[0] === before?.name || (before === undefined && isFirst(link));
    if (!isSame) stream.push(written(context, { scratch, mark: index + 1, link, before }));
    before = { name: isSame ? link.commit : `:${index + 1}`, link };
  }
  if (stream.length > 0) {
    const args = ["fast-import", "--quiet", "--force", "--date-format=raw"];
    await context.inHub(args, { stdin: Buffer.concat(stream), what: `thin ${ref}` });
  }
  const tip = stream.length > 0 ? await resolve(context, scratch) : links.at(-1)?.commit;
  if (tip === undefined) throw new Error(`thinning ${ref} left nothing`);
  await deleteRef(context, scratch, undefined);
  return tip;
}

const isFirst = (link: ChainLink): boolean => link.after === undefined;

type Written = {
  scratch: string;
  mark: number;
  link: ChainLink;
  before: { name: string; link: ChainLink } | undefined;
};

function written(context: GitContext, { scratch, mark, link, before }: Written): Buffer {
  const committer = committerOf(context);
  const message = Buffer.from(renumbered(link.message, before?.link.number));
  const [from, ...merges] = [...(before === undefined ? [] : [before.name]), ...own(link, before)];
  const head = [
    `commit ${scratch}`,
    `mark :${mark}`,
    `author ${link.author.name} <${link.author.email}> ${link.authorDate}`,
    `committer ${committer.name} <${committer.email}> ${link.committedAtS} +0000`,
    `data ${message.length}`,
    "",
  ];
  const tail = [
    "",
    ...(from === undefined ? [] : [`from ${from}`]),
    ...merges.map((commit) => `merge ${commit}`),
    `M 040000 ${link.tree} ""`,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(head.join("\n")), message, Buffer.from(tail.join("\n"))]);
}

function renumbered(message: string, after: number | undefined): string {
  const plain = message.replace(/^Pawl-After: .*\n/m, "");
  if (after === undefined) return plain;
  return plain.replace(/^Pawl-Number: .*\n/m, (line) => `${line}Pawl-After: ${after}\n`);
}

/** What its note names must be reachable, also where the link that first brought it is gone. */
function own(link: ChainLink, before: Written["before"]): Commit[] {
  const known = new Set(before === undefined ? [] : namedCommits(parseFacts(before.link.message)));
  return [...new Set(namedCommits(parseFacts(link.message)))].filter(
    (commit) => !known.has(commit),
  );
}

/** The work has landed: the chain is kept apart, so that no later life starts from it. */
export function archiveCheckpoints(
  context: GitContext,
  { identity, at }: { identity: string; at: number },
): Promise<void> {
  const ref = checkpointRef(identity);
  return context.serial(ref, async () => {
    const tip = await resolve(context, ref);
    if (tip === undefined) return;
    await setRef(context, `${LANDED_REFS}${identity}/${at}`, tip);
    await context.crash("git.archive.copied");
    await deleteRef(context, ref, tip);
  });
}
