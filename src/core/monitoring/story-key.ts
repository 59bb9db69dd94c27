// The ways a story is named: `5.3`, `5-3`, `5-3-slug`. All mean the same story.
export type StoryKey = { id: string; prefix: string; epic: string; key: string };

const KEY = /^(\d+)[.-](\d+)(?:-[A-Za-z0-9._-]+)?$/;

export function parseStoryKey(text: string): StoryKey | undefined {
  const [, epic, story] = KEY.exec(text.trim()) ?? [];
  if (epic === undefined || story === undefined) return undefined;
  const prefix = `${epic}-${story}`;
  return { id: `${epic}.${story}`, prefix, epic, key: /^\d+-\d+-/.test(text) ? text : prefix };
}

/** `5` of `5`, and `5` of any of its stories. */
export const epicOf = (text: string): string | undefined =>
  /^\d+$/.test(text.trim()) ? text.trim() : parseStoryKey(text)?.epic;
