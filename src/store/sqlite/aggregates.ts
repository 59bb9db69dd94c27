// Queries on aggregates that are alive: their states, versions and deadlines. What is over is in
// archive.ts.
import type { DatabaseSync } from "node:sqlite";
import { type AggregateId, projectOf } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import type { AggregateFilter, StoredAggregate, Wake } from "../../ports/store.ts";
import { compareKeys } from "../key-order.ts";
import { readArchive, writeArchive } from "./archive.ts";
import { readBacklog, readLabelled, writeBacklog } from "./backlog.ts";
import { parseDocument } from "./failure.ts";
import type { ParsedStates } from "./parsed-states.ts";

type Page = { after?: AggregateId; limit: number };
/** Without its state where that is read only if it is not known. */
type Row = { id: AggregateId; version: number; state?: string };

export function readAggregates(db: DatabaseSync, states?: ParsedStates) {
  // Where states are kept parsed, only those that are not known are read. Without, one statement reads
  // all: another program may write between two.
  const columns = states === undefined ? "id, version, state" : "id, version";
  const load = db.prepare("SELECT id, version, state FROM aggregates WHERE id = ?");
  const versionOf = db.prepare("SELECT id, version FROM aggregates WHERE id = ?");
  const all = db.prepare(`SELECT ${columns} FROM aggregates`);
  const ofProject = db.prepare(`SELECT ${columns} FROM aggregates WHERE project = ?`);
  const between = db.prepare(`SELECT ${columns} FROM aggregates WHERE id >= ? AND id < ?`);
  const rowsOf = ({ project, kind }: AggregateFilter): Row[] => {
    if (kind === undefined) {
      return (project === undefined ? all.all() : ofProject.all(project)) as Row[];
    }
    // An id begins with its kind and a colon; a semicolon is the next character.
    if (project === undefined) return between.all(`${kind}:`, `${kind};`) as Row[];
    // Then comes the project, alone or before a slash; "0" is the character after that.
    const begin = `${kind}:${project}`;
    return [
      ...(states === undefined ? load : versionOf).all(begin),
      ...between.all(`${begin}/`, `${begin}0`),
    ] as Row[];
  };
  const due = db.prepare(
    "SELECT id, wake_at AS wakeAt, version FROM aggregates WHERE wake_at <= ? ORDER BY wake_at, id",
  );
  const nextWake = db.prepare("SELECT min(wake_at) AS at FROM aggregates WHERE wake_at > ?");
  const page = db.prepare(
    "SELECT id, version, state FROM aggregates WHERE id > ? ORDER BY id LIMIT ?",
  );
  const archive = readArchive(db);
  const readIn = ({ isBrief, labelled }: AggregateFilter): ((row: Row) => StoredAggregate) => {
    if (labelled !== undefined) return (row) => withOnly(row, labelled);
    return isBrief === true ? brief : listed;
  };
  const { stored, listed, brief, withOnly } = readStates(db, states);
  return {
    load(id: AggregateId): StoredAggregate | undefined {
      const row = (states === undefined ? load : versionOf).get(id) as Row | undefined;
      return row === undefined ? archive.load(id) : stored(row);
    },
    page: ({ after = "" as AggregateId, limit }: Page): StoredAggregate[] =>
      (page.all(after, limit) as Row[]).map(brief),
    history: archive.history,
    named: archive.named,
    list: (filter: AggregateFilter = {}): StoredAggregate[] =>
      rowsOf(filter)
        .map(readIn(filter))
        .toSorted((one, other) => compareKeys(one.id, other.id)),
    due: (at: number): Wake[] => due.all(at).map((row) => ({ ...row }) as Wake),
    nextWake: (after = -Infinity): number | undefined =>
      (nextWake.get(after)?.["at"] as number | null) ?? undefined,
  };
}

/** The state of a row: whole, or a project without its backlog or with a part of it. */
function readStates(db: DatabaseSync, states?: ParsedStates) {
  const load = db.prepare("SELECT state FROM aggregates WHERE id = ?");
  const backlogOf = readBacklog(db);
  const labelled = readLabelled(db);
  const textOf = (row: Row): string => row.state ?? (load.get(row.id) as { state: string }).state;
  const whole = (row: Row, isKept: (state: AggregateState) => boolean): StoredAggregate => {
    const { id, version } = row;
    const known = states?.get(id, version);
    if (known !== undefined) return { id, version, state: known };
    const text = textOf(row);
    const state = parseDocument(text, id) as AggregateState;
    // Of a project that a version before wrote whole, the rows are written with its next save.
    if (state.kind === "project" && Object.hasOwn(state, "backlog")) return { id, version, state };
    const read = state.kind === "project" ? { ...state, backlog: backlogOf(id) } : state;
    if (isKept(read)) states?.keep(id, { version, state: read, length: lengthOf(text, read) });
    return { id, version, state: read };
  };
  const stored = (row: Row): StoredAggregate => whole(row, () => true);
  // A caller that lists projects reads each once: their backlogs would only take memory.
  const listed = (row: Row): StoredAggregate => whole(row, ({ kind }) => kind !== "project");
  const brief = (row: Row): StoredAggregate => {
    const { id, version } = row;
    const known = states?.get(id, version) ?? states?.get(`brief ${id}`, version);
    if (known !== undefined) return { id, version, state: withoutBacklog(known) };
    const text = textOf(row);
    const state = withoutBacklog(parseDocument(text, id) as AggregateState);
    states?.keep(state.kind === "project" ? `brief ${id}` : id, {
      version,
      state,
      length: text.length,
    });
    return { id, version, state };
  };
  const withOnly = (row: Row, label: string): StoredAggregate => {
    const found = brief(row);
    if (found.state.kind !== "project") return found;
    return { ...found, state: { ...found.state, backlog: labelled(row.id, label) } };
  };
  return { stored, listed, brief, withOnly };
}

const withoutBacklog = (state: AggregateState): AggregateState =>
  state.kind === "project" && state.backlog?.length !== 0 ? { ...state, backlog: [] } : state;

export function writeAggregates(db: DatabaseSync, states: ParsedStates) {
  const versionOf = db.prepare("SELECT version FROM aggregates WHERE id = ?");
  const putBacklog = writeBacklog(db);
  /** The state whose backlog the rows hold, where it is known. */
  const before = (id: AggregateId): AggregateState | undefined => {
    const version = versionOf.get(id)?.["version"] as number | undefined;
    return version === undefined ? undefined : states.get(id, version);
  };
  const save = db.prepare(`
    INSERT INTO aggregates (id, project, version, state, wake_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE
    SET version = version + 1, state = excluded.state, wake_at = excluded.wake_at
    RETURNING version`);
  const { takeOut, archive } = writeArchive(db);
  return {
    save(id: AggregateId, state: AggregateState, wakeAt: number | undefined): void {
      const first = (takeOut(id) ?? 0) + 1;
      const text = JSON.stringify(
        state.kind === "project" ? putBacklog(id, state, before(id)) : state,
      );
      const row = save.get(id, projectOf(id), first, text, wakeAt ?? null);
      const length = lengthOf(text, state);
      states.keep(id, { version: row?.["version"] as number, state, length });
    },
    archive,
  };
}

/** Of an issue, about so much. */
const ISSUE_LENGTH = 120;

const lengthOf = (text: string, state: AggregateState): number =>
  text.length + (state.kind === "project" ? (state.backlog?.length ?? 0) * ISSUE_LENGTH : 0);
