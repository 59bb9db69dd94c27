// What was tried, per project, one line each: it outlives the sessions, so that retries are counted
// by what happened and not by what a caller remembers. Lines are only ever added.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Attempt } from "../../core/monitoring/attempts.ts";
import { parseStoryKey } from "../../core/monitoring/story-key.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { GitFacts } from "./git-facts.ts";

export type Spawn = {
  kind: "spawned";
  at: number;
  name: string;
  step: string;
  story: string;
  agent: string;
  git: GitFacts;
};

export type Ended = {
  kind: "ended";
  at: number;
  name: string;
  finalState: string;
  reason: string;
  verified: boolean;
  todosDone: number;
  networkError: boolean;
};

export type Escalated = { kind: "escalated"; at: number; step: string; story: string };
export type Entry = Spawn | Ended | Escalated;

export async function note(ledger: string, entry: Entry): Promise<void> {
  await mkdir(dirname(ledger), { recursive: true, mode: 0o700 });
  await appendFile(ledger, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

export async function readLedger(ledger: string): Promise<Entry[]> {
  const text = (await ifThere(readFile(ledger, "utf8"))) ?? "";
  return text.split("\n").flatMap((line) => parseEntry(line));
}

/** A line that was cut off by a crash is no entry. */
function parseEntry(line: string): Entry[] {
  if (line === "") return [];
  try {
    return [JSON.parse(line) as Entry];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export const isSameStory = (a: string, b: string): boolean =>
  a === b || (parseStoryKey(a)?.id ?? a) === (parseStoryKey(b)?.id ?? b);

type Task = { step: string; story: string };

const isOf =
  ({ step, story }: Task) =>
  (entry: Entry): entry is Spawn =>
    entry.kind === "spawned" && entry.step === step && isSameStory(entry.story, story);

export const lastSpawn = (entries: Entry[], task: Task): Spawn | undefined =>
  entries.filter(isOf(task)).at(-1);

/** Attempts since a person was last asked; the next spawn after that resets the count. */
export function attemptsOf(entries: Entry[], task: Task): Attempt[] {
  const latest = entries.findLastIndex(isOf(task));
  const asked = entries.findLastIndex(
    (entry, index) =>
      index < latest &&
      entry.kind === "escalated" &&
      entry.step === task.step &&
      isSameStory(entry.story, task.story),
  );
  return entries
    .slice(asked + 1)
    .filter(isOf(task))
    .flatMap((spawn) => {
      const end = entries.findLast(
        (entry): entry is Ended => entry.kind === "ended" && entry.name === spawn.name,
      );
      if (end === undefined) return [];
      const { finalState, verified, todosDone, networkError } = end;
      return [{ agent: spawn.agent, finalState, verified, todosDone, networkError }];
    });
}
