// What Pawl knows of the versions of Claude Code. Found by running the delivery tests and the demo
// against each version named here (test/claude, `PAWL_CLAUDE_VERSION`).

/** From here on, a prompt that is sent during a turn is reported by the hook like any other. */
export const QUEUED_PROMPTS_REPORTED_SINCE = "2.1.260";

/** Compares numbers, part by part; a part that is no number counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(".").map(Number));
  for (const [index, part] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
