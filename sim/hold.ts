// A person who holds a run looks at its work, and says something about a line of it.
import type { RunEvent } from "../src/core/run/run-event.ts";

const COMMENT = { path: "file.txt", line: 1, side: "new", text: "Why?", by: "ann" } as const;

/** One after the other, each at its own time. */
export const HOLDING: readonly ((at: number) => RunEvent)[] = [
  (at) => ({ kind: "run-held", at, by: "ann" }),
  (at) => ({ kind: "line-commented", at, comment: { ...COMMENT, code: ["a line"] } }),
];
