// The open issues of each project, a row each. A project is loaded with them and saved with them, and
// only the rows that changed are written.
import type { DatabaseSync } from "node:sqlite";
import { projectOf, type AggregateId } from "../../core/ids.ts";
import { inOrder, type IssueFacts } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import type { AggregateState } from "../../core/step.ts";
import { parseDocument } from "./failure.ts";

export function readBacklog(db: DatabaseSync) {
  // One text is handed over and parsed much faster than a row each.
  const all = db.prepare("SELECT group_concat(facts) AS facts FROM backlog WHERE project = ?");
  return (id: AggregateId): IssueFacts[] => {
    const facts = (all.get(projectOf(id)) as { facts: string | null }).facts ?? "";
    return inOrder(parseDocument(`[${facts}]`, `the backlog of ${id}`) as IssueFacts[]);
  };
}

/** Those with a label. Texts that do not name it are not parsed: with 10,000 issues that is most of the work. */
export function readLabelled(db: DatabaseSync) {
  const naming = db.prepare(
    "SELECT group_concat(facts) AS facts FROM backlog WHERE project = ? AND instr(facts, ?) > 0",
  );
  return (id: AggregateId, label: string): IssueFacts[] => {
    const row = naming.get(projectOf(id), JSON.stringify(label)) as { facts: string | null };
    const issues = parseDocument(`[${row.facts ?? ""}]`, `the backlog of ${id}`) as IssueFacts[];
    return inOrder(issues.filter(({ labels }) => labels.includes(label)));
  };
}

export function writeBacklog(db: DatabaseSync) {
  const put = db.prepare(`
    INSERT INTO backlog (project, number, facts) VALUES (?, ?, ?)
    ON CONFLICT (project, number) DO UPDATE SET facts = excluded.facts`);
  const remove = db.prepare("DELETE FROM backlog WHERE project = ? AND number = ?");
  const read = readBacklog(db);
  /**
   * Writes the backlog of a project, and gives its state without it. `known`: the state that the rows
   * were written or read with.
   */
  return (id: AggregateId, state: Project, known: AggregateState | undefined): unknown => {
    const { backlog, ...rest } = state;
    const written = known?.kind === "project" ? known.backlog : undefined;
    if (!Array.isArray(backlog)) return state;
    if (written === backlog) return rest;
    const before = written ?? read(id);
    const project = projectOf(id);
    const numbers = new Set(backlog.map(({ number }) => number));
    for (const { number } of before) if (!numbers.has(number)) remove.run(project, number);
    for (const issue of changed(before, backlog)) {
      put.run(project, issue.number, JSON.stringify(issue));
    }
    return rest;
  };
}

/** Issues that did not change are mostly the very same objects; the others are compared by their text. */
function changed(before: readonly IssueFacts[], after: readonly IssueFacts[]): IssueFacts[] {
  const same = new Set(before);
  const fresh = after.filter((issue) => !same.has(issue));
  const numbers = new Set(fresh.map(({ number }) => number));
  const known = before.filter(({ number }) => numbers.has(number));
  const texts = new Set(known.map((issue) => JSON.stringify(issue)));
  return fresh.filter((issue) => !texts.has(JSON.stringify(issue)));
}
