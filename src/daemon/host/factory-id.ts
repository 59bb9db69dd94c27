// Who this factory is, on forges that it shares with others. Written once, never changed.
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { errorCode } from "../../lib/error-code.ts";
import type { Store } from "../../ports/store.ts";

/**
 * Who this factory is. Its id is made once per journal: two factories must not take each other's
 * work for their own, and what a new journal makes is not what a lost one has made. Its home's is
 * in a file beside it: no two factories live in one home, so that a claim of this home by another
 * journal has no owner any more.
 */
export async function factoryMarks(
  store: Store,
  homeFile: string,
): Promise<{ id: string; home: string }> {
  return { id: await factoryId(store), home: await homeId(homeFile) };
}

async function homeId(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await makeOnce(file, `${newId()}\n`);
    return (await readFile(file, "utf8")).trim();
  }
}

/**
 * If two processes make it at once, one wins. It is renamed when it is whole: no reader sees half.
 */
async function makeOnce(file: string, text: string): Promise<void> {
  const own = `${file}.${newId()}`;
  await writeFile(own, text, { mode: 0o600, flag: "wx" });
  try {
    await link(own, file).catch(unlessThere);
  } finally {
    await rm(own, { force: true });
  }
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}

const newId = (): string => crypto.randomUUID().slice(0, 8);

async function factoryId(store: Store): Promise<string> {
  const known = await store.records.get<string>("factory", "id");
  if (known !== undefined) return known.value;
  const made = newId();
  await store.transaction((tx) => tx.records.put("factory", "id", made));
  return made;
}
