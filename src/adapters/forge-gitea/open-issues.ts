// The open issues of a Gitea repository, kept up to date by asking for what changed since the last
// look: everything that happens to an issue (comments, labels, closing) moves its time of change.
// Now and then, and after trouble, the whole list is read again: what was deleted changes nothing.
import * as z from "zod";
import type { Issue } from "../../core/issue.ts";
import type { Connection } from "./connection.ts";
import { byNumber, shownIssue } from "./issues.ts";
import { isPr } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

const WHOLE_EVERY_MS = 1_800_000;
/** A change may become visible later than the time it carries. */
const OVERLAP_MS = 60_000;

export function createOpenIssues(
  connection: Connection,
  now: () => number,
): () => Promise<Issue[]> {
  const open = new Map<number, shape.RawIssue>();
  let wholeAt: number | undefined;
  let seen = 0;

  function take(all: shape.RawIssue[]): void {
    for (const raw of all) {
      seen = Math.max(seen, raw.updated_at);
      if (raw.state === "open" && !isPr(raw)) open.set(raw.number, raw);
      else open.delete(raw.number);
    }
  }

  async function readWhole(): Promise<void> {
    const all = await read(connection, { state: "open" });
    open.clear();
    take(all);
    wholeAt = now();
  }

  async function readChanges(): Promise<void> {
    const since = new Date(seen - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, "Z");
    take(await read(connection, { state: "all", since }));
  }

  return () =>
    connection.serial("open issues", async () => {
      const isOld = wholeAt === undefined || now() - wholeAt > WHOLE_EVERY_MS;
      if (isOld || seen === 0) await readWhole();
      else await readChanges();
      return byNumber([...open.values()].map(shownIssue));
    });
}

function read(
  connection: Connection,
  query: { state: "open" | "all"; since?: string },
): Promise<shape.RawIssue[]> {
  return connection.read.list({
    what: "read the open issues",
    path: connection.at("/issues"),
    query: { ...query, limit: 50 },
    schema: z.array(shape.issue),
  });
}
