// The journal's migrations, in order: the version of a journal is how many of them it has seen.
// It lies beside the .sql files because the bundle copies them flat next to the code. A migration
// that was released is never changed; a new one is added.
import { readFileSync } from "node:fs";

export type Migration = { name: string; sql(): string };

const FILES = [
  "0001-journal.sql",
  "0002-changes.sql",
  "0003-history.sql",
  "0004-backlog.sql",
  "0005-history-facts.sql",
];

export const MIGRATIONS: Migration[] = FILES.map((name) => ({
  name,
  sql: () => readFileSync(new URL(`./${name}`, import.meta.url), "utf8"),
}));
