// Queries on what is over: states, compressed, and the rows of the history that say what they were.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { HistoryEntry, RunFacts } from "../../core/history.ts";
import type { AggregateId } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import type { HistoryQuery, HistoryRow, NameQuery, StoredAggregate } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type StateRow = { id: AggregateId; version: number; state: Uint8Array };
type Row = Omit<HistoryRow, "names" | "facts"> & { names: string; facts: string | null };

const ROW = `SELECT id, project, kind, reference, title, outcome, started_at AS startedAt,
  ended_at AS endedAt, tokens, usd, last_words AS lastWords, names, facts FROM history`;

export function readArchive(db: DatabaseSync) {
  const load = db.prepare("SELECT id, version, state FROM archive WHERE id = ?");
  const named = db.prepare(`
    SELECT archive.id AS id, version, state FROM history_names JOIN archive USING (id)
    WHERE project = ? AND kind = ? AND name = ? ORDER BY ended_at DESC, id DESC LIMIT ?`);
  const pages = new Map<string, StatementSync>();
  const page = (sql: string): StatementSync => {
    const known = pages.get(sql) ?? db.prepare(sql);
    pages.set(sql, known);
    return known;
  };
  function history({
    kind,
    project,
    endedFrom = -Infinity,
    after,
    limit,
  }: HistoryQuery): HistoryRow[] {
    const where = project === undefined ? "" : "project = ? AND ";
    const behind = after === undefined ? "" : " AND (ended_at, id) < (?, ?)";
    const sql = `${ROW} WHERE ${where}kind = ? AND ended_at >= ?${behind}
      ORDER BY ended_at DESC, id DESC LIMIT ?`;
    const rows = page(sql).all(
      ...(project === undefined ? [] : [project]),
      kind,
      endedFrom,
      ...(after === undefined ? [] : [after.endedAt, after.id]),
      limit,
    ) as Row[];
    return rows.map(({ facts, ...row }) => ({
      ...row,
      names: namesIn(row),
      ...(facts === null
        ? {}
        : { facts: parseDocument(facts, `the facts of ${row.id}`) as RunFacts }),
    }));
  }

  return {
    load(id: AggregateId): StoredAggregate | undefined {
      const row = load.get(id) as StateRow | undefined;
      return row && stored(row);
    },
    named: ({ project, kind, name, limit }: NameQuery): StoredAggregate[] =>
      (named.all(project, kind, name, limit) as StateRow[]).map(stored),
    history,
  };
}

const namesIn = ({ id, names }: { id: string; names: string }): string[] =>
  parseDocument(names, `the names of ${id}`) as string[];

export function writeArchive(db: DatabaseSync) {
  const alive = db.prepare("DELETE FROM aggregates WHERE id = ? RETURNING version");
  const keep = db.prepare("INSERT INTO archive (id, version, state) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM archive WHERE id = ? RETURNING version");
  const row = db.prepare(`
    INSERT INTO history (id, project, kind, reference, title, outcome, started_at, ended_at,
      tokens, usd, last_words, names, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const removeRow = db.prepare(
    "DELETE FROM history WHERE id = ? RETURNING project, kind, ended_at AS endedAt, names",
  );
  const name = db.prepare(
    "INSERT INTO history_names (project, kind, name, ended_at, id) VALUES (?, ?, ?, ?, ?)",
  );
  const removeName = db.prepare(
    "DELETE FROM history_names WHERE project = ? AND kind = ? AND name = ? AND ended_at = ? AND id = ?",
  );

  /** Its version where it was archived. */
  function takeOut(id: AggregateId): number | undefined {
    const version = remove.get(id)?.["version"] as number | undefined;
    if (version === undefined) return undefined;
    const was = removeRow.get(id) as Pick<Row, "project" | "kind" | "endedAt" | "names">;
    for (const one of namesIn({ id, names: was.names })) {
      removeName.run(was.project, was.kind, one, was.endedAt, id);
    }
    return version;
  }

  function archive(id: AggregateId, state: AggregateState, entry: HistoryEntry): void {
    const before = alive.get(id)?.["version"] as number | undefined;
    const version = (before ?? takeOut(id) ?? 0) + 1;
    keep.run(id, version, zstdCompressSync(JSON.stringify(state)));
    const { project, kind, reference, title, outcome, startedAt, endedAt } = entry;
    const about = [id, project, kind, reference, title, outcome, startedAt, endedAt] as const;
    const { tokens, usd, lastWords, names, facts } = entry;
    const kept = facts === undefined ? null : JSON.stringify(facts);
    row.run(...about, tokens, usd, lastWords, JSON.stringify(names), kept);
    for (const one of names) name.run(project, kind, one, endedAt, id);
  }

  return { takeOut, archive };
}

function stored({ id, version, state }: StateRow): StoredAggregate {
  const document = parseDocument(() => zstdDecompressSync(state).toString(), id);
  return { id, version, state: document as AggregateState, isArchived: true };
}
