// The change feed: one event per commit of the journal, by its number.
import { z } from "zod";
import type { RunView } from "./runs.ts";

export const changesQuery = z.object({
  /** The last number that is known; the header Last-Event-ID says the same. */
  after: z.coerce.number().int().nonnegative().optional(),
  /** Also say when the terminal of this run has shown more. */
  run: z.string().optional(),
  /** Instead of the names of what changed, what a page shows of it (`ChangedView`). */
  views: z.enum(["true", "false"]).optional(),
});

/** `rest`: more changed than these living runs show. */
export type ChangedView = { runs: RunView[]; rest: boolean };
