// Queries on aggregates: their states, versions and deadlines.
import type { DatabaseSync } from "node:sqlite";
import { type AggregateId, projectOf } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import type { AggregateFilter, StoredAggregate, Wake } from "../../ports/store.ts";
import { compareKeys } from "../key-order.ts";
import { parseDocument } from "./failure.ts";

type Row = { id: AggregateId; version: number; state: string };

export function readAggregates(db: DatabaseSync) {
  const load = db.prepare("SELECT id, version, state FROM aggregates WHERE id = ?");
  const all = db.prepare("SELECT id, version, state FROM aggregates");
  const ofProject = db.prepare("SELECT id, version, state FROM aggregates WHERE project = ?");
  const ofKind = db.prepare("SELECT id, version, state FROM aggregates WHERE id >= ? AND id < ?");
  const rowsOf = ({ project, kind }: AggregateFilter): Row[] => {
    if (kind === undefined) {
      return (project === undefined ? all.all() : ofProject.all(project)) as Row[];
    }
    // An id begins with its kind and a colon; a semicolon is the next character.
    const rows = ofKind.all(`${kind}:`, `${kind};`) as Row[];
    return project === undefined ? rows : rows.filter(({ id }) => projectOf(id) === project);
  };
  const due = db.prepare(
    "SELECT id, wake_at AS wakeAt, version FROM aggregates WHERE wake_at <= ? ORDER BY wake_at, id",
  );
  const nextWake = db.prepare("SELECT min(wake_at) AS at FROM aggregates WHERE wake_at > ?");
  return {
    load(id: AggregateId): StoredAggregate | undefined {
      const row = load.get(id) as Row | undefined;
      return row && stored(row);
    },
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
    INSERT INTO aggregates (id, project, version, state, wake_at) VALUES (?, ?, 1, ?, ?)
    ON CONFLICT (id) DO UPDATE
    SET version = version + 1, state = excluded.state, wake_at = excluded.wake_at`);
  return {
    save(id: AggregateId, state: AggregateState, wakeAt: number | undefined): void {
      save.run(id, projectOf(id), JSON.stringify(state), wakeAt ?? null);
    },
  };
}

function stored(row: Row): StoredAggregate {
  const state = parseDocument(row.state, row.id) as AggregateState;
  return { id: row.id, version: row.version, state };
}
