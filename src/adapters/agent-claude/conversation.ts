// Which conversation a life has: a new one, or that of the life before it. Claude Code keeps them
// by id; the id is written into the epoch's folder, so that a repeated start finds the same.
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { openUntrusted, readUntrusted } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";

const NAME = "conversation";
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const TURN = '"type":"user"';
const CHUNK_BYTES = 64 * 1024;

export type Conversation = { id: string; resumed: boolean };

export async function chooseConversation(request: {
  dir: string;
  resume: string | undefined;
  env: Record<string, string>;
}): Promise<Conversation> {
  const { dir, resume, env } = request;
  const chosen = await read(join(dir, NAME));
  const [kind = "", id = ""] = (chosen ?? "").trim().split(" ");
  if (ID.test(id)) return { id, resumed: kind === "resumed" };
  const next =
    resume === undefined
      ? { id: randomUUID() as string, resumed: false }
      : { id: resume, resumed: true };
  const word = next.resumed ? "resumed" : "new";
  await writeWhole(join(dir, NAME), `${word} ${next.id} ${configFolder(env)}\n`);
  return next;
}

/** The conversation of an earlier life, where something of it was kept. */
export async function leftConversation(request: {
  dir: string;
  env: Record<string, string>;
}): Promise<string | undefined> {
  const id = await conversationIn(request.dir);
  if (id === undefined) return undefined;
  return (await transcriptOf(id, request.env)) === undefined ? undefined : id;
}

export const conversationIn = async (dir: string): Promise<string | undefined> =>
  (await placeIn(dir))?.id;

/** `folder`: of the account that keeps it; "" where an older version of Pawl started the life. */
export async function placeIn(dir: string): Promise<{ id: string; folder: string } | undefined> {
  const [, id = "", ...folder] = ((await read(join(dir, NAME))) ?? "").trim().split(" ");
  return ID.test(id) ? { id, folder: folder.join(" ") } : undefined;
}

/** Resuming a conversation without a single turn would fail, and so would the life. */
export async function transcriptOf(
  id: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  const folder = join(configFolder(env), "projects");
  for (const project of (await ifThere(readdir(folder))) ?? []) {
    const path = join(folder, project, `${id}.jsonl`);
    if (await hasTurn(path)) return path;
  }
  return undefined;
}

/** The first turn is near the beginning: a long conversation is not read to its end. */
async function hasTurn(path: string): Promise<boolean> {
  await using file = await openUntrusted(path);
  if (file === undefined) return false;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; ; at += CHUNK_BYTES - TURN.length) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (chunk.subarray(0, bytesRead).includes(TURN)) return true;
    if (bytesRead < CHUNK_BYTES) return false;
  }
}

export const configFolder = (env: Record<string, string>): string =>
  env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? "/", ".claude");

const read = (path: string): Promise<string | undefined> => readUntrusted(path, CHUNK_BYTES);
