// Puts messages where the agent looks, once each. A message is whole the moment it is seen: it is
// written in tmp/ and linked into new/, which fails where it already is.
import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NEVER_SHOWN } from "../../core/run/message.ts";
import { assert } from "../../lib/assert.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { errorCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { TYPED_FOLDER } from "../../ports/session-files.ts";
import { Folder } from "../shared/folder.ts";
import { isThere } from "./is-there.ts";
import type { Layout } from "./layout.ts";
import { listNames } from "./read-session.ts";

type Letter = { id: string; text: string; crash: CrashPoint };

/** What stands in the way may go away again: a full disk, a folder the agent has moved. */
export async function deliver(layout: Layout, letter: Letter): Promise<"delivered" | "already"> {
  const { id } = letter;
  assert(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(id), `a message id that is a file name, not ${id}`);
  try {
    return await put(layout, letter);
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw new OperationError(`cannot put message ${id} into ${layout.inboxNew}: ${String(cause)}`, {
      code: NEVER_SHOWN,
      hint: "free some space, or restore the session's inbox folder",
      retryable: true,
      cause,
    });
  }
}

async function put(layout: Layout, { id, text, crash }: Letter): Promise<"delivered" | "already"> {
  const name = `${id}.md`;
  // cur/ last: files are moved that way, so one on the move is seen at least once.
  if (await isThere(join(layout.inboxNew, name))) return "already";
  if (await isThere(join(layout.inboxTyped, name))) return "already";
  const taken = await listNames(layout.inboxCur);
  if (taken.some((other) => other === name || other.startsWith(`${name}:`))) return "already";
  // No link is followed: an agent could put one there, and have its messages written elsewhere.
  await mkdir(layout.dir, { recursive: true, mode: 0o700 });
  await using own = await Folder.open(layout.dir);
  await using tmp = await own.make("inbox/tmp");
  await using fresh = await own.make("inbox/new");
  const temporary = tmp.at(`${name}.${randomUUID()}`);
  await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
  await crash("session-files.deliver.written");
  const outcome = await linkOnce(temporary, fresh.at(name));
  await crash("session-files.deliver.linked");
  await rm(temporary, { force: true });
  return outcome;
}

async function linkOnce(from: Buffer, to: Buffer): Promise<"delivered" | "already"> {
  try {
    await link(from, to);
    return "delivered";
  } catch (error) {
    if (errorCode(error) === "EEXIST") return "already";
    throw error;
  }
}

/**
 * The one that moves a message out of new/ has it: Pawl, which types it, or a hook, which shows it
 * with another prompt. A life whose hook does not know the folder keeps it in new/.
 */
export async function hold(
  layout: Layout,
  { id, isSent }: { id: string; isSent: boolean },
): Promise<"held" | "taken"> {
  const name = `${id}.md`;
  await using own = await ifThere(Folder.open(layout.dir));
  await using fresh = await own?.enter("inbox/new");
  await using typed = await own?.enter(TYPED_FOLDER);
  if (fresh === undefined) return "taken";
  if (typed === undefined) return (await fresh.stat(name)) === undefined ? "taken" : "held";
  await ifThere(rename(fresh.at(name), typed.at(name)));
  if ((await typed.stat(name)) === undefined) return "taken";
  if (isSent) await note(typed.at(sentName(id)));
  return "held";
}

/** The hook may take it at the same time: then it is not there any more. */
export async function release(layout: Layout, id: string): Promise<void> {
  const name = `${id}.md`;
  await using own = await ifThere(Folder.open(layout.dir));
  await using fresh = await own?.enter("inbox/new");
  await using typed = await own?.enter(TYPED_FOLDER);
  if (fresh === undefined || typed === undefined) return;
  if ((await typed.stat(sentName(id))) !== undefined) return;
  await ifThere(rename(typed.at(name), fresh.at(name)));
}

/** Hooks read only files that end with .md. */
const sentName = (id: string): string => `${id}.sent`;

/** Made, never opened: an agent could put a link there, and have another file emptied. */
async function note(path: Buffer): Promise<void> {
  try {
    await writeFile(path, "", { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
