// Small questions about stories, answered from the project's files and git. Only reads.
import { basename, join } from "node:path";
import { findStory, storiesOf } from "../../core/monitoring/sprint.ts";
import { storyStatus, storyTitle } from "../../core/monitoring/story-file.ts";
import { epicOf, parseStoryKey } from "../../core/monitoring/story-key.ts";
import { gitFacts } from "./git-facts.ts";
import { readIfThere, readSprint, storyFiles } from "./story-files.ts";

type Answer = Record<string, unknown> & { ok: boolean };

const unknownStory = (story: string): Answer => ({ ok: false, story, reason: "not_a_story_key" });

/** All the ways a story is named; its key is its file's, else the sprint's. */
export async function normalizeKey(root: string, story: string): Promise<Answer> {
  const parsed = parseStoryKey(story);
  if (parsed === undefined) return unknownStory(story);
  const { id, prefix } = parsed;
  const [file] = await storyFiles(root, parsed);
  const inSprint = findStory((await readSprint(root)) ?? [], story)?.key;
  const key = file === undefined ? (inSprint ?? prefix) : basename(file, ".md");
  return { ok: true, id, prefix, key };
}

export async function storyFileStatus(root: string, story: string): Promise<Answer> {
  const parsed = parseStoryKey(story);
  if (parsed === undefined) return unknownStory(story);
  const [file] = await storyFiles(root, parsed);
  if (file === undefined) return { ok: false, story, reason: "story_file_not_found" };
  const text = (await readIfThere(join(root, file))) ?? "";
  const status = storyStatus(text) ?? "unknown";
  return { ok: true, story_key: basename(file, ".md"), file, status, title: storyTitle(text) };
}

/** There is something to commit, and the sprint calls the story done. */
export async function commitReady(root: string, story: string): Promise<Record<string, unknown>> {
  const status = findStory((await readSprint(root)) ?? [], story)?.status ?? "not_found";
  const changed = Object.keys((await gitFacts(root)).dirty).length;
  const answer = { story, status, files_changed: changed };
  if (status !== "done") return { ready: false, ...answer, reason: "story_not_done" };
  if (changed === 0) return { ready: false, ...answer, reason: "nothing_to_commit" };
  return { ready: true, ...answer };
}

export async function epicStories(root: string, epic: string): Promise<Answer> {
  const stories = storiesOf((await readSprint(root)) ?? [], epicOf(epic) ?? epic);
  const keys = stories.map(({ key }) => key).toSorted(byNumber);
  if (keys.length === 0) return { ok: false, epic, reason: "no_stories_found" };
  return { ok: true, epic, stories: keys, count: keys.length, source: "sprint-status.yaml" };
}

/** Whether this story is the last of its epic. */
export async function epicComplete(root: string, epic: string, story: string): Promise<Answer> {
  const found = await epicStories(root, epic);
  if (!found.ok) return found;
  const keys = found["stories"] as string[];
  const last = parseStoryKey(keys.at(-1) ?? "")?.id ?? "";
  const storyId = parseStoryKey(story)?.id ?? story;
  return {
    ok: true,
    isLastStory: storyId === last,
    epic,
    storyId,
    lastInEpic: last,
    epicStoryCount: keys.length,
    source: found["source"],
  };
}

/** `5-2` before `5-10`. */
const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
