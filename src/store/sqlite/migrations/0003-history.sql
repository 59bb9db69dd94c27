-- What is over leaves `aggregates`, so that every question about what is alive reads only that. A row
-- of the history says what views show of it; its state is kept compressed in a table of its own, so
-- that paging through the history never reads it.

CREATE TABLE history (
  id         TEXT PRIMARY KEY,
  project    TEXT NOT NULL,
  kind       TEXT NOT NULL,
  reference  TEXT NOT NULL,
  title      TEXT NOT NULL,
  outcome    TEXT NOT NULL,
  started_at REAL NOT NULL,
  ended_at   REAL NOT NULL,
  tokens     REAL NOT NULL,
  usd        REAL NOT NULL,
  last_words TEXT NOT NULL,
  names      TEXT NOT NULL
) STRICT;
CREATE INDEX history_by_kind ON history (kind, ended_at, id);
CREATE INDEX history_by_project ON history (project, kind, ended_at, id);

-- Everything that an archived aggregate may be found by.
CREATE TABLE history_names (
  project  TEXT NOT NULL,
  kind     TEXT NOT NULL,
  name     TEXT NOT NULL,
  ended_at REAL NOT NULL,
  id       TEXT NOT NULL,
  PRIMARY KEY (project, kind, name, ended_at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE archive (
  id      TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  state   BLOB NOT NULL
) STRICT;
