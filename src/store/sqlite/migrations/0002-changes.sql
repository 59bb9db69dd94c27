-- Every commit has a number: what followers read. Only the newest rows are kept. `aggregates` is a
-- JSON list of the ids that changed, NULL where there were too many to list.
CREATE TABLE changes (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  aggregates TEXT
) STRICT;
