// A person who holds a run looks at its work, and says something about a line of it.
import type { RunEvent } from "../src/core/run/run-event.ts";

const COMMENT = { path: "file.txt", line: 1, side: "new", text: "Why?", by: "ann" } as const;

export const holding = (at: number): RunEvent[] => [
  { kind: "run-held", at, by: "ann" },
  { kind: "line-commented", at, comment: { ...COMMENT, code: ["a line"] } },
];
