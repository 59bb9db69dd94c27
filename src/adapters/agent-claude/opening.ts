// What a life is told first: its prompt, and what an earlier one has acknowledged and no conversation
// has. A hook takes a message a moment before Claude Code keeps it, and outlives a Claude Code that is
// killed in that moment. What the resumed conversation has already is not told again.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outlived, type Message, type MessageKind } from "../../core/run/message.ts";
import { assert } from "../../lib/assert.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { LaunchRequest } from "../../ports/agent.ts";
import { messagesIn, withoutMessage } from "../shared/agent-host/opening.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { cleanText } from "./clean-text.ts";
import { configFolder, placeIn, transcriptOf } from "./conversation.ts";
import { isInWords, wordsIn } from "./said.ts";

const OPENING = "opening.md";
const TEXT_MAX_BYTES = 16 * 1024 * 1024;
/** One argument of a program has at most 128 KB on Linux. */
const ARGUMENT_MAX_BYTES = 100_000;

type Request = Pick<LaunchRequest, "dir" | "promptFile" | "resume" | "env">;
type Letter = { id: string; text: string };

/** The argument that Claude Code is started with. A repeated start finds the same. */
export async function openingFor(request: Request): Promise<string> {
  const file = join(request.dir, OPENING);
  const known = await readUntrusted(file, TEXT_MAX_BYTES);
  if (known !== undefined) return argumentOf(known, file);
  const text = await compose(request);
  await writeWhole(file, text);
  return argumentOf(text, file);
}

function argumentOf(text: string, file: string): string {
  const cleaned = cleanText(text);
  if (Buffer.byteLength(cleaned) <= ARGUMENT_MAX_BYTES) return cleaned;
  return `Your task is described in the file ${file}. Read the whole file and do what it says.`;
}

async function compose({ dir, promptFile, resume, env }: Request): Promise<string> {
  const prompt = await readUntrusted(promptFile, TEXT_MAX_BYTES);
  assert(prompt !== undefined, `a prompt in ${promptFile}`);
  const resumed = resume === undefined ? [] : await saidIn(resume, env);
  const own = messagesIn(prompt)
    .filter((id) => isInWords(resumed, id))
    .reduce(withoutMessage, prompt);
  const told = new Set(messagesIn(prompt));
  const lost = (await lostBefore(dir, env)).filter(({ id }) => !told.has(id));
  return [...lost.map(({ text }) => text.trimEnd()), own].join("\n\n");
}

/**
 * Back to the last life whose own opening a conversation has: what was lost before it was told with
 * that. Lives of other agents and of other accounts are passed over.
 */
async function lostBefore(dir: string, env: Record<string, string>): Promise<Letter[]> {
  const said = new Map<string, string[]>();
  const letters: Letter[] = [];
  for (const life of await earlierLives(dir)) {
    const place = await placeIn(life);
    if (place === undefined) continue;
    const words = said.get(place.id) ?? (await saidIn(place.id, env));
    said.set(place.id, words);
    if (words.length === 0 && place.folder !== configFolder(env)) continue;
    letters.unshift(...(await acknowledgedIn(life)));
    if (await isOpened(life, words)) break;
  }
  const all = [...said.values()].flat();
  return letters.filter(({ id }) => !isInWords(all, id));
}

/** The last one first. */
async function earlierLives(dir: string): Promise<string[]> {
  const [, epoch = "0"] = /\/(\d+)$/.exec(dir) ?? [];
  const runs = dirname(dir);
  const names = (await ifThere(readdir(runs))) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) < Number(epoch))
    .toSorted((one, other) => Number(other) - Number(one))
    .map((name) => join(runs, name));
}

async function saidIn(conversation: string, env: Record<string, string>): Promise<string[]> {
  const path = await transcriptOf(conversation, env);
  return path === undefined ? [] : wordsIn(path);
}

async function isOpened(life: string, words: readonly string[]): Promise<boolean> {
  const file = join(life, OPENING);
  const text = await readUntrusted(file, TEXT_MAX_BYTES);
  if (text === undefined) return false;
  const opening = argumentOf(text, file);
  return words.some((one) => one.includes(opening));
}

async function acknowledgedIn(life: string): Promise<Letter[]> {
  const folder = join(life, "inbox", "cur");
  const names = ((await ifThere(readdir(folder))) ?? []).toSorted(byNumber);
  const letters: Letter[] = [];
  for (const name of names) {
    const text = await readUntrusted(join(folder, name), TEXT_MAX_BYTES);
    const [, id, kind = ""] = /^Id: (\S+)\nKind: (\S+)\n/.exec(text ?? "") ?? [];
    if (text === undefined || id === undefined || isOfOneLife(kind)) continue;
    letters.push({ id, text });
  }
  return letters;
}

const byNumber = (one: string, other: string): number =>
  one.localeCompare(other, "en", { numeric: true });

/** What was asked of the life that is over. */
const isOfOneLife = (kind: string): boolean =>
  outlived({ ...ANY_MESSAGE, kind: kind as MessageKind }).status === "void";

const ANY_MESSAGE: Message = {
  id: "",
  kind: "notice",
  text: "",
  at: 0,
  urgent: false,
  status: "delivered",
  epoch: undefined,
};
