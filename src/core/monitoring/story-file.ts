// What a story file says: its sections, its status, and findings of a review that block it.
const SECTIONS = ["Story", "Acceptance Criteria", "Tasks"] as const;
const STATUS = /^(?:\*\*)?status(?:\*\*)?\s*:\s*(?:\*\*)?\s*["']?([A-Za-z][A-Za-z _-]*)/im;
const OPEN_ITEM = /^\s*[-*]\s*\[ \]/;
const BLOCKING = /\[(?:critical|high)\]|\((?:critical|high)\)|\b(?:critical|high)\s*:/i;

/** The sections without which a story cannot be worked on; a heading without text is missing too. */
export function missingSections(text: string): string[] {
  return SECTIONS.filter((name) => !hasSection(text, name));
}

function hasSection(text: string, name: string): boolean {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => new RegExp(`^##+\\s+${name}\\b`, "i").test(line));
  if (start === -1) return false;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^##?\s/.test(line));
  return (end === -1 ? rest : rest.slice(0, end)).some((line) => line.trim() !== "");
}

export const storyStatus = (text: string): string | undefined =>
  STATUS.exec(text)?.[1]?.trim().toLowerCase().replaceAll(/[ _]/g, "-");

/** The first heading's words. */
export const storyTitle = (text: string): string => /^#\s+(.*\S)\s*$/m.exec(text)?.[1] ?? "";

/** Items that are still open and called critical or high. */
export const blockingFindings = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    return OPEN_ITEM.test(line) && BLOCKING.test(line) ? [line.trim()] : [];
  });
