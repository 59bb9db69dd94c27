// What changed in a Gitea repository since the last look, in one request: everything that happens to
// an issue or a PR (comments, labels, reviews, closing) moves its time of change. From it come the
// open issues, and whether a PR has anything new. Now and then the whole list is read again: what
// was deleted changes nothing.
import * as z from "zod";
import type { Issue } from "../../core/issue.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { byNumber, shownIssue } from "../shared/forge/issues.ts";
import { isPr } from "../shared/forge/raw-issue.ts";
import type { RawIssue } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

const WHOLE_EVERY_MS = 1_800_000;
/** A change may become visible later than the time it carries. */
const OVERLAP_MS = 60_000;
/** What is known of PRs is used only right after it was read. */
const FRESH_MS = 5000;

export type Changes = {
  openIssues(): Promise<Issue[]>;
  /** When this PR last changed, and since when that is known; undefined without a recent look. */
  stampOf(pr: number): Stamp | undefined;
};

export type Stamp = { updatedAt: number; seenAt: number };

export function createChanges(connection: Connection, now: () => number): Changes {
  const open = new Map<number, RawIssue>();
  const stamps = new Map<number, Stamp>();
  let wholeAt: number | undefined;
  let readAt = 0;
  let seen = 0;

  function take(all: RawIssue[], seenAt: number): void {
    for (const raw of all) {
      seen = Math.max(seen, raw.updated_at);
      if (raw.state === "open" && !isPr(raw)) open.set(raw.number, raw);
      else open.delete(raw.number);
      if (!isPr(raw)) continue;
      if (raw.state === "closed") stamps.delete(raw.number);
      else if (stamps.get(raw.number)?.updatedAt !== raw.updated_at) {
        stamps.set(raw.number, { updatedAt: raw.updated_at, seenAt });
      }
    }
    readAt = seenAt;
  }

  async function readWhole(): Promise<void> {
    const at = now();
    const all = await read(connection, { state: "open" });
    open.clear();
    take(all, at);
    wholeAt = at;
  }

  async function readChanges(): Promise<void> {
    const at = now();
    const since = new Date(seen - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, "Z");
    take(await read(connection, { state: "all", since }), at);
  }

  return {
    openIssues: () =>
      connection.serial("changes", async () => {
        const isOld = wholeAt === undefined || now() - wholeAt > WHOLE_EVERY_MS;
        if (isOld || seen === 0) await readWhole();
        else await readChanges();
        return byNumber([...open.values()].map((raw) => shownIssue(connection, raw)));
      }),
    stampOf: (pr) => (now() - readAt < FRESH_MS ? stamps.get(pr) : undefined),
  };
}

function read(
  connection: Connection,
  query: { state: "open" | "all"; since?: string },
): Promise<RawIssue[]> {
  return connection.read.list({
    what: "read the open issues",
    path: connection.at("/issues"),
    query: { ...query, limit: 50 },
    schema: z.array(shape.issue),
  });
}
