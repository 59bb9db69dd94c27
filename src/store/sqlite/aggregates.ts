// Queries on aggregates that are alive: their states, versions and deadlines. What is over is in
// archive.ts.
import type { DatabaseSync } from "node:sqlite";
import { type AggregateId, projectOf } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import type { AggregateFilter, StoredAggregate, Wake } from "../../ports/store.ts";
import { compareKeys } from "../key-order.ts";
import { readArchive, writeArchive } from "./archive.ts";
import { parseDocument } from "./failure.ts";

type Page = { after?: AggregateId; limit: number };
type Row = { id: AggregateId; version: number; state: string };

export function readAggregates(db: DatabaseSync) {
  const load = db.prepare("SELECT id, version, state FROM aggregates WHERE id = ?");
  const all = db.prepare("SELECT id, version, state FROM aggregates");
  const ofProject = db.prepare("SELECT id, version, state FROM aggregates WHERE project = ?");
  const between = db.prepare("SELECT id, version, state FROM aggregates WHERE id >= ? AND id < ?");
  const rowsOf = ({ project, kind }: AggregateFilter): Row[] => {
    if (kind === undefined) {
      return (project === undefined ? all.all() : ofProject.all(project)) as Row[];
    }
    // An id begins with its kind and a colon; a semicolon is the next character.
    if (project === undefined) return between.all(`${kind}:`, `${kind};`) as Row[];
    // Then comes the project, alone or before a slash; "0" is the character after that.
    const begin = `${kind}:${project}`;
    return [...load.all(begin), ...between.all(`${begin}/`, `${begin}0`)] as Row[];
  };
  const due = db.prepare(
    "SELECT id, wake_at AS wakeAt, version FROM aggregates WHERE wake_at <= ? ORDER BY wake_at, id",
  );
  const nextWake = db.prepare("SELECT min(wake_at) AS at FROM aggregates WHERE wake_at > ?");
  const page = db.prepare(
    "SELECT id, version, state FROM aggregates WHERE id > ? ORDER BY id LIMIT ?",
  );
  const archive = readArchive(db);
  return {
    load(id: AggregateId): StoredAggregate | undefined {
      const row = load.get(id) as Row | undefined;
      return row === undefined ? archive.load(id) : stored(row);
    },
    page: ({ after = "" as AggregateId, limit }: Page): StoredAggregate[] =>
      (page.all(after, limit) as Row[]).map(stored),
    history: archive.history,
    named: archive.named,
    list: (filter: AggregateFilter = {}): StoredAggregate[] =>
      rowsOf(filter)
        .map(stored)
        .toSorted((one, other) => compareKeys(one.id, other.id)),
    due: (at: number): Wake[] => due.all(at).map((row) => ({ ...row }) as Wake),
    nextWake: (after = -Infinity): number | undefined =>
      (nextWake.get(after)?.["at"] as number | null) ?? undefined,
  };
}

export function writeAggregates(db: DatabaseSync) {
  const save = db.prepare(`
    INSERT INTO aggregates (id, project, version, state, wake_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE
    SET version = version + 1, state = excluded.state, wake_at = excluded.wake_at`);
  const { takeOut, archive } = writeArchive(db);
  return {
    save(id: AggregateId, state: AggregateState, wakeAt: number | undefined): void {
      const version = (takeOut(id) ?? 0) + 1;
      save.run(id, projectOf(id), version, JSON.stringify(state), wakeAt ?? null);
    },
    archive,
  };
}

function stored(row: Row): StoredAggregate {
  const state = parseDocument(row.state, row.id) as AggregateState;
  return { id: row.id, version: row.version, state };
}
