-- The journal's first schema. Times are epoch milliseconds (REAL: a file's time has fractions, and
-- whole ones are stored as integers anyway); documents are JSON text.
-- Numbers (seq) are AUTOINCREMENT so that none is given twice after old rows were pruned:
-- a follower that remembers the last one it saw would miss rows.

CREATE TABLE aggregates (
  id      TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  version INTEGER NOT NULL,
  state   TEXT NOT NULL,
  wake_at REAL
) STRICT;
CREATE INDEX aggregates_by_project ON aggregates (project);
-- Most aggregates have ended and wait for nothing: they are not in this index.
CREATE INDEX aggregates_by_wake ON aggregates (wake_at, id) WHERE wake_at IS NOT NULL;

CREATE TABLE events (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  aggregate TEXT NOT NULL,
  at        REAL NOT NULL,
  event     TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_aggregate ON events (aggregate, seq);
CREATE INDEX events_by_time ON events (at);

-- Keys of outside events that were taken in, so that each is taken in once.
CREATE TABLE taken_in (
  key TEXT PRIMARY KEY,
  at  REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX taken_in_by_time ON taken_in (at);

-- Effects that wait to be carried out.
CREATE TABLE outbox (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  key        TEXT NOT NULL UNIQUE,
  aggregate  TEXT NOT NULL,
  lane       TEXT NOT NULL,
  effect     TEXT NOT NULL,
  attempts   INTEGER NOT NULL,
  not_before REAL NOT NULL
) STRICT;

CREATE TABLE signals (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  kind   TEXT NOT NULL,
  at     REAL NOT NULL,
  signal TEXT NOT NULL
) STRICT;
CREATE INDEX signals_by_kind ON signals (kind, seq);
CREATE INDEX signals_by_time ON signals (at);

CREATE TABLE records (
  collection TEXT NOT NULL,
  key        TEXT NOT NULL,
  version    INTEGER NOT NULL,
  value      TEXT NOT NULL,
  UNIQUE (collection, key)
) STRICT;
