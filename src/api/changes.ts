// The change feed: one event per commit of the journal, by its number.
import { z } from "zod";

export const changesQuery = z.object({
  /** The last number that is known; the header Last-Event-ID says the same. */
  after: z.coerce.number().int().nonnegative().optional(),
  /** Also say when the terminal of this run has shown more. */
  run: z.string().optional(),
});
