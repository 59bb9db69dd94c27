// Which version a journal has, told without opening it as a journal: one that is older or newer than
// this Pawl would be refused.
import { journalVersion } from "../../store/sqlite/open.ts";
import { pathsOf } from "../host/paths.ts";

/** `found`: the version of the journal; null where there is none yet. `known`: the one this Pawl writes. */
export type JournalFacts = { path: string; found: number | null; known: number | null };

export function journalFacts(home: string): JournalFacts {
  const path = pathsOf(home, "").journal;
  const version = journalVersion(path);
  return { path, found: version?.found ?? null, known: version?.known ?? null };
}
