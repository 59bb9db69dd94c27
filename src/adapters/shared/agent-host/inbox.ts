// The session's inbox as a host reads it: urgent messages first, all others in the order they were sent,
// acknowledged by moving them to cur/. Which of them are on their way is the host's affair.
import { watch, type FSWatcher } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../../lib/if-there.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { complain, onceThereIsRoom } from "./once-there-is-room.ts";

const MESSAGE_MAX_BYTES = 4 * 1024 * 1024;
/** Watches drop events under load. */
const LIST_EVERY_MS = 2_000;

export type Letter = {
  id: string;
  file: string;
  text: string;
  kind: string | undefined;
  urgent: boolean;
};

export async function listInbox(dir: string): Promise<Letter[]> {
  const folder = join(dir, "inbox", "new");
  const names = ((await ifThere(readdir(folder))) ?? []).filter((name) => name.endsWith(".md"));
  // Ids count up: m9 comes before m10.
  names.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const letters: Letter[] = [];
  for (const name of names) {
    const file = join(folder, name);
    const text = await readUntrusted(file, MESSAGE_MAX_BYTES);
    if (text === undefined) continue;
    const [head = ""] = text.split("\n\n", 1);
    letters.push({
      id: name.slice(0, -".md".length),
      file,
      text,
      kind: /^Kind: (\S+)$/m.exec(head)?.[1],
      urgent: /^Urgent: yes$/m.test(head),
    });
  }
  return letters.toSorted((one, other) => Number(other.urgent) - Number(one.urgent));
}

/** Where a message lies once it was taken. */
export const takenFile = (dir: string, id: string): string => join(dir, "inbox", "cur", `${id}.md`);

export async function take(dir: string, letter: Letter): Promise<void> {
  await onceThereIsRoom(
    () => ifThere(rename(letter.file, takenFile(dir, letter.id))),
    (error) => complain(`cannot acknowledge ${letter.id}: ${String(error)}; trying again`),
  );
}

export function watchInbox(dir: string, onChange: () => void): { close(): void } {
  const timer = setInterval(onChange, LIST_EVERY_MS);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(join(dir, "inbox", "new"), onChange);
    watcher.on("error", onChange);
  } catch {
    // No watch is to be had: the list is enough.
    watcher = undefined;
  }
  return {
    close: () => {
      clearInterval(timer);
      watcher?.close();
    },
  };
}
