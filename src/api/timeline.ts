// What happened in a run, when, and how long it took.
import { z } from "zod";

export const TIMELINE_ROWS = [
  "life",
  "turn",
  "work",
  "check",
  "review",
  "queue",
  "you",
  "event",
] as const;

const spanSchema = z.object({
  row: z.enum(TIMELINE_ROWS),
  from: z.string(),
  /** Null while it goes on; the same as `from` for what took no time. */
  to: z.string().nullable(),
  text: z.string(),
  tone: z.enum(["plain", "good", "bad", "needs"]),
});

export type SpanView = z.infer<typeof spanSchema>;

export const timelineSchema = z.object({
  from: z.string(),
  /** Null while the run goes on. */
  to: z.string().nullable(),
  spans: z.array(spanSchema),
  /** The journal has folded its beginning, or there was more than is told. */
  is_cut: z.boolean(),
});

export type TimelineView = z.infer<typeof timelineSchema>;
