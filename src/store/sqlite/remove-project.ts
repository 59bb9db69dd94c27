// Forgets a project: every row that belongs to it, in one transaction. The caller holds the lock of
// the factory, and no engine works. What its agents cost is kept as sums of days (`usage-days`).
import { openWriter } from "./connection.ts";
import { attempt } from "./failure.ts";

/** Ids and keys are `kind:PROJECT`, `kind:PROJECT/…` or `kind:PROJECT:…`. */
const ofProject = (column: string): string => {
  const rest = `substr(${column}, instr(${column}, ':') + 1)`;
  return `(${rest} = :project OR substr(${rest}, 1, length(:project) + 1) IN (:project || '/', :project || ':'))`;
};

/** Collections are `kind/PROJECT` or `kind/PROJECT/…`; others hold a project's rows under such a key. */
const RECORDS = `
  instr(collection, '/') > 0
    AND substr(collection || '/', instr(collection, '/') + 1, length(:project) + 1) = :project || '/'
  OR collection IN ('notices', 'webhooks')
    AND substr(key || '/', 1, length(:project) + 1) = :project || '/'
  OR collection = 'deaths' AND ${ofProject("key")}`;

const REMOVALS = [
  "DELETE FROM archive WHERE id IN (SELECT id FROM history WHERE project = :project)",
  "DELETE FROM history WHERE project = :project",
  "DELETE FROM history_names WHERE project = :project",
  "DELETE FROM backlog WHERE project = :project",
  "DELETE FROM aggregates WHERE project = :project",
  `DELETE FROM events WHERE ${ofProject("aggregate")}`,
  `DELETE FROM outbox WHERE ${ofProject("aggregate")}`,
  `DELETE FROM taken_in WHERE ${ofProject("key")}`,
  "DELETE FROM signals WHERE json_extract(signal, '$.project') = :project",
  `DELETE FROM records WHERE ${RECORDS}`,
];

export function removeProjectRows(path: string, project: string): void {
  attempt({ what: `remove project ${project} from`, path }, () => {
    const db = openWriter(path);
    try {
      db.exec("BEGIN IMMEDIATE");
      for (const sql of REMOVALS) db.prepare(sql).run({ project });
      // Followers read everything again.
      db.exec("INSERT INTO changes (aggregates) VALUES (NULL)");
      db.exec("COMMIT");
    } finally {
      db.close();
    }
  });
}
