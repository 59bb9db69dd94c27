// The refs of a workspace as a checkpoint records them: what they name is brought into the hub first,
// and sorted into commits, which become parents, and the rest, which goes into the extra commit.
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import type { Extra } from "./checkpoint-extra.ts";
import type { CheckpointNote, NoteFacts } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { readRefFile } from "./refs.ts";
import type { WorkspaceRefs } from "./workspace-refs.ts";
import { copyObjects, kindsOf } from "./workspace-refs.ts";

export type SavedRefs = Omit<NoteFacts, "extra" | "nested"> & {
  tags: Extra["tags"];
  loose: Extra["objects"];
  /** Commits that no earlier checkpoint of the chain had. */
  fresh: Commit[];
  /** Refs whose objects the workspace could not give, or whose tags are too large. */
  skipped: string[];
};

/** Refs whose commits are looked up in the hub one by one before a fetch is worth its processes. */
const LOOKED_UP_MAX = 64;

export async function saveRefs(
  context: GitContext,
  { workspace, now }: { workspace: string; now: WorkspaceRefs },
  before: CheckpointNote | undefined,
): Promise<SavedRefs> {
  const commits = new Set(before === undefined ? [] : commitsOf(before));
  const others = new Set(before?.objects.values());
  const wanted = [...new Set(idsOf(now))].filter((id) => !commits.has(id) && !others.has(id));
  const inHub = wanted.length === 0 ? new Set() : await refsOfHub(context, now);
  const lost = await copyObjects(
    context,
    workspace,
    wanted.filter((id) => !inHub.has(id)),
  );
  const kinds = await kindsOf(context, wanted);
  for (const id of commits) kinds.set(id, "commit");
  const isCommit = (id: string): boolean => kinds.get(id) === "commit" && !lost.has(id);
  const entries = [...now.refs].filter(([, id]) => !lost.has(id));
  const named = entries.filter(([, id]) => !isCommit(id));
  const { tags, also, loose, large } = await followTags(
    context,
    named.map(([, id]) => id),
  );
  const head = now.head !== undefined && isCommit(now.head) ? now.head : undefined;
  return {
    head: head ?? before?.head,
    branch: now.branch,
    refs: new Map(entries.filter(([, id]) => isCommit(id))),
    objects: new Map(named.filter(([, id]) => !large.has(id))),
    kept: now.kept.filter(isCommit),
    also,
    tags,
    loose,
    fresh: [...wanted.filter(isCommit), ...also.filter((id) => !commits.has(id))],
    skipped: [...now.refs]
      .filter(([, id]) => lost.has(id) || large.has(id))
      .map(([name]) => `.git/${name}`),
  };
}

const commitsOf = (note: CheckpointNote): Commit[] => [
  ...(note.head === undefined ? [] : [note.head]),
  ...note.refs.values(),
  ...note.kept,
  ...note.also,
];

const idsOf = ({ head, refs, kept }: WorkspaceRefs): Commit[] => [
  ...(head === undefined ? [] : [head]),
  ...refs.values(),
  ...kept,
];

/** What the hub surely has: a fetch that finds nothing to do still costs five processes. */
async function refsOfHub(context: GitContext, { refs }: WorkspaceRefs): Promise<Set<string>> {
  const names = [context.targetRef, ...[...refs.keys()].slice(0, LOOKED_UP_MAX)];
  const found = await Promise.all(names.map((name) => readRefFile(context.hub, name)));
  return new Set(found.filter((commit) => commit !== undefined));
}

/** The message of a tag; a release with all its notes has some kilobytes. */
const TAG_MAX_BYTES = 1024 * 1024;
/** Of one workspace: all of them are in one file of the checkpoint. */
const TAGS_MAX_BYTES = 16 * 1024 * 1024;

/** No text where it is too large. */
type Tag = { text: string | undefined; names: string | undefined };

type Followed = Pick<SavedRefs, "tags" | "also" | "loose"> & {
  /** What is too large to be saved, or leads to such a tag. */
  large: Set<string>;
};

/** A tag may name a tag: all of them are kept, and the commits at their ends. */
async function followTags(context: GitContext, ids: string[]): Promise<Followed> {
  const found: Followed = { tags: [], also: [], loose: [], large: new Set() };
  const seen = new Map<string, string | undefined>();
  let size = 0;
  let open = [...new Set(ids)];
  while (open.length > 0) {
    const kinds = await kindsOf(context, open);
    for (const id of open) {
      const kind = kinds.get(id);
      seen.set(id, undefined);
      if (kind === "commit") found.also.push(commitId(id));
      if (kind === "blob" || kind === "tree") found.loose.push({ id, kind });
      if (kind !== "tag") continue;
      const { text, names } = await readTag(context, id);
      seen.set(id, names);
      size += text?.length ?? 0;
      if (text === undefined || size > TAGS_MAX_BYTES) found.large.add(id);
      else found.tags.push([id, text]);
    }
    const next = open.flatMap((id) => seen.get(id) ?? []);
    open = [...new Set(next)].filter((id) => !seen.has(id));
  }
  for (const id of ids) {
    let at: string | undefined = id;
    while (at !== undefined && !found.large.has(at)) at = seen.get(at);
    if (at !== undefined) found.large.add(id);
  }
  return found;
}

/** Tag objects never change. */
const knownTags = perContext(() => ({ tags: new Map<string, Tag>(), bytes: 0 }));
const MEMORY_MAX_TAGS = 10_000;
const MEMORY_MAX_BYTES = 2 * TAGS_MAX_BYTES;

async function readTag(context: GitContext, id: string): Promise<Tag> {
  const memory = knownTags(context);
  const known = memory.tags.get(id);
  if (known !== undefined) return known;
  const limits = { maxBytes: TAG_MAX_BYTES, overflow: "truncate" } as const;
  const result = await context.inHub(["cat-file", "tag", id], limits);
  const read = result.bytes.toString("latin1");
  const names = /^object (?<id>[0-9a-f]+)$/m.exec(read)?.groups?.["id"];
  const tag = { text: result.truncated ? undefined : read, names };
  if (memory.tags.size >= MEMORY_MAX_TAGS || memory.bytes > MEMORY_MAX_BYTES) {
    memory.tags.clear();
    memory.bytes = 0;
  }
  memory.tags.set(id, tag);
  memory.bytes += tag.text?.length ?? 0;
  return tag;
}
