// Pages of a list: `?limit=` rows after the row that `?after=` names. Where there are more, the header
// x-pawl-next says what to ask after. Without a limit the whole list is given.
import { z } from "zod";
import { OperationError } from "../../lib/operation-error.ts";
import type { Request } from "./context.ts";

const LIMIT_MAX = 1000;

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).optional(),
  after: z.string().optional(),
});

export const NEXT_HEADER = "x-pawl-next";

/** Without a limit the whole list is asked for. */
export const pageAsked = (context: Request) => pageQuery.parse(context.req.query());

/** `keyOf` names a row within its list; rows keep their order from page to page. */
export function page<T>(context: Request, rows: T[], keyOf: (row: T) => string): Response {
  const { limit, after } = pageAsked(context);
  const from = after === undefined ? 0 : placeAfter(rows.map(keyOf), after);
  const wanted = rows.slice(from, limit === undefined ? undefined : from + limit);
  const last = wanted.at(-1);
  if (last !== undefined && from + wanted.length < rows.length) {
    context.header(NEXT_HEADER, keyOf(last));
  }
  return context.json(wanted);
}

function placeAfter(keys: string[], after: string): number {
  const found = keys.indexOf(after);
  if (found !== -1) return found + 1;
  throw new OperationError(`there is no "${after}" in this list to begin after`, {
    code: "usage",
    hint: "ask without `after` for the first page",
  });
}
