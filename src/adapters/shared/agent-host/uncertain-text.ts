// The texts of what an earlier life may not have said. They lie in the folders of the lives that were
// sent them, and a host inside walls sees only the last one of these: so its launch copies them.
import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import { PROMPT, type Uncertain } from "./deliveries.ts";

const TEXT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * `dir`: the folder of the life that is launched, beside those of the earlier ones. An agent can write
 * the record that names these files: no other file is copied to where it can read it.
 */
export function copyTexts(uncertain: readonly Uncertain[], dir: string): Promise<Uncertain[]> {
  const copied = uncertain.map(async (item, index) => {
    const place = await placeOf(item);
    const lives = await realpath(dirname(dir));
    if (place === undefined || !place.startsWith(`${lives}${sep}`)) return item;
    const text = await readUntrusted(place, TEXT_MAX_BYTES);
    if (text === undefined) return item;
    const copy = join(dir, `uncertain-${index + 1}.md`);
    await writeWhole(copy, text);
    return { ...item, copy };
  });
  return Promise.all(copied);
}

export async function withText(item: Uncertain): Promise<Uncertain & { text: string }> {
  const place = item.copy ?? (await placeOf(item));
  const text = place === undefined ? undefined : await readUntrusted(place, TEXT_MAX_BYTES);
  return { ...item, text: text ?? (item.id === PROMPT ? "" : `Id: ${item.id}\nKind: notice\n`) };
}

/** A message that was never acknowledged lies in the other folder of its inbox. */
async function placeOf({ file }: Uncertain): Promise<string | undefined> {
  for (const path of [file, file.replace("/inbox/cur/", "/inbox/new/")]) {
    const place = await realpath(path).catch(() => undefined);
    if (place !== undefined) return place;
  }
  return undefined;
}
