-- The open issues of a project, a row each: its document is read and written at every event, and must
-- not grow with its backlog.
CREATE TABLE backlog (
  project TEXT NOT NULL,
  number  INTEGER NOT NULL,
  facts   TEXT NOT NULL,
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

INSERT OR REPLACE INTO backlog (project, number, facts)
SELECT aggregates.project, json_extract(issue.value, '$.number'), issue.value
FROM aggregates, json_each(aggregates.state, '$.backlog') AS issue
WHERE aggregates.id LIKE 'project:%';

UPDATE aggregates SET state = json_remove(state, '$.backlog') WHERE id LIKE 'project:%';
