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
  /** Refs whose objects the workspace could not give. */
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
  const objects = new Map(entries.filter(([, id]) => !isCommit(id)));
  const { tags, also, loose } = await followTags(context, [...objects.values()]);
  const head = now.head !== undefined && isCommit(now.head) ? now.head : undefined;
  return {
    head: head ?? before?.head,
    branch: now.branch,
    refs: new Map(entries.filter(([, id]) => isCommit(id))),
    objects,
    kept: now.kept.filter(isCommit),
    also,
    tags,
    loose,
    fresh: [...wanted.filter(isCommit), ...also.filter((id) => !commits.has(id))],
    skipped: [...now.refs].filter(([, id]) => lost.has(id)).map(([name]) => `.git/${name}`),
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

/** Tag objects never change. */
const tagTexts = perContext(() => new Map<string, string>());
const MEMORY_MAX = 10_000;

/** A tag may name a tag: all of them are kept, and the commits at their ends. */
async function followTags(
  context: GitContext,
  ids: string[],
): Promise<Pick<SavedRefs, "tags" | "also" | "loose">> {
  const found: Pick<SavedRefs, "tags" | "also" | "loose"> = { tags: [], also: [], loose: [] };
  const seen = new Set<string>();
  let open = [...new Set(ids)];
  while (open.length > 0) {
    const kinds = await kindsOf(context, open);
    const next: string[] = [];
    for (const id of open) {
      seen.add(id);
      const kind = kinds.get(id);
      if (kind === "commit") found.also.push(commitId(id));
      if (kind === "blob" || kind === "tree") found.loose.push({ id, kind });
      if (kind !== "tag") continue;
      const text = await tagText(context, id);
      found.tags.push([id, text]);
      const named = /^object (?<id>[0-9a-f]+)$/m.exec(text)?.groups?.["id"];
      if (named !== undefined) next.push(named);
    }
    open = [...new Set(next)].filter((id) => !seen.has(id));
  }
  return found;
}

async function tagText(context: GitContext, id: string): Promise<string> {
  const known = tagTexts(context).get(id);
  if (known !== undefined) return known;
  const result = await context.inHub(["cat-file", "tag", id]);
  const text = result.bytes.toString("latin1");
  if (tagTexts(context).size > MEMORY_MAX) tagTexts(context).clear();
  tagTexts(context).set(id, text);
  return text;
}
