// Reads sprint-status.yaml line by line, as it is written: `  5-3-user-login: done`. Only reads.
import { parseStoryKey } from "./story-key.ts";

export type SprintEntry = { key: string; status: string };

const LINE = /^\s+([A-Za-z0-9._-]+):\s*["']?([A-Za-z][A-Za-z_-]*)["']?\s*(?:#.*)?$/;

export function sprintEntries(text: string): SprintEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, key, status] = LINE.exec(line) ?? [];
    return key === undefined || status === undefined ? [] : [{ key, status }];
  });
}

/** The exact key, else the story that it names; `5-3` never means `5-30-…`. */
export function findStory(entries: readonly SprintEntry[], named: string): SprintEntry | undefined {
  const exact = entries.find(({ key }) => key === named);
  const id = parseStoryKey(named)?.id;
  if (exact !== undefined || id === undefined) return exact;
  return entries.find(({ key }) => parseStoryKey(key)?.id === id);
}

export const storiesOf = (entries: readonly SprintEntry[], epic: string): SprintEntry[] =>
  entries.filter(({ key }) => parseStoryKey(key)?.epic === epic);
