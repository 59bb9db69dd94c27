// What an issue says it depends on, in Markdown.
const HEADING = /^#{1,2}\s+(.*?)\s*#*\s*$/;
/** Longer lines are no headings: the pattern above would take minutes on a line of a megabyte. */
const HEADING_MAX = 100;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEPENDENCY_HEADING = /^(dependencies|depends on|blocked by):?$/i;
const INLINE = /\b(depends on|blocked by)\b/i;
// A reference into another repository (`org/repo#12`) is not one of ours.
const REFERENCE = /(?<![\w/#&])#(\d+)\b/g;

const ANY_REFERENCE = /#\d/;

/** `#N` under a dependency heading, or on a line that says so, outside code fences; sorted, unique. */
export function dependencies(body: string, self?: number): number[] {
  // Most issues name no other one, and every look reads all of them.
  if (!ANY_REFERENCE.test(body)) return [];
  const found = new Set<number>();
  let fence: string | undefined;
  let inSection = false;
  for (const line of body.split("\n")) {
    const marker = FENCE.exec(line)?.[1];
    if (fence === undefined && marker !== undefined) fence = marker;
    else if (fence !== undefined) {
      // Only the same kind of fence, at least as long, ends a block.
      if (marker?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const heading = line.length <= HEADING_MAX ? HEADING.exec(line) : null;
    if (heading !== null) inSection = DEPENDENCY_HEADING.test(heading[1] ?? "");
    if (inSection || INLINE.test(line)) {
      for (const match of line.matchAll(REFERENCE)) found.add(Number(match[1]));
    }
  }
  if (self !== undefined) found.delete(self);
  return [...found].toSorted((a, b) => a - b);
}
