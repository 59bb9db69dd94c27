// The record of what a host has sent to its agent, so that no message is lost and none is sent
// twice, whichever process is killed: a line before a prompt is sent, one when the program has accepted
// it, one when its turn is over. Each is written before the next step. A message whose turn did
// not end is uncertain: the next life looks for it in what the conversation holds.
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { parseObject } from "../../../lib/json-object.ts";
import { createSerial } from "../serial.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { complain, onceThereIsRoom } from "./once-there-is-room.ts";

export const DELIVERIES = "deliveries.jsonl";
const BYTES_MAX = 16 * 1024 * 1024;

/** What is sent in one prompt: messages by their ids, the opening prompt as `PROMPT`. */
export const PROMPT = "prompt";
/** `file`: where its text is, absolute. */
export type Item = { id: string; file: string };

export type State = "sending" | "accepted" | "ended";
/** `copy`: its text in the folder of the life that looks for it. */
export type Uncertain = Item & { accepted: boolean; copy?: string };

export class Deliveries {
  readonly #file: FileHandle;
  readonly #inOrder = createSerial();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(dir: string): Promise<Deliveries> {
    return new Deliveries(await open(join(dir, DELIVERIES), "a", 0o600));
  }

  /** In the order of the calls, also while the disk is full: the last line of an item counts. */
  note(state: State, items: readonly Item[]): Promise<void> {
    // The time is for people who find out what happened.
    const line = `${JSON.stringify({ at: Date.now(), state, items })}\n`;
    return this.#inOrder("", () =>
      onceThereIsRoom(
        (isFirst) => this.#write(state, isFirst ? line : `\n${line}`),
        (error) => complain(`cannot record what was sent: ${String(error)}; trying again`),
      ),
    );
  }

  /** What begins with a line end follows a part of a line, perhaps. */
  async #write(state: State, text: string): Promise<void> {
    await this.#file.appendFile(text);
    // Written, it survives a kill. After a power cut the message counts as uncertain, and is looked for
    // in the conversation; an agent that cannot tell its conversation may hear it twice.
    if (state !== "accepted") await this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Undefined where the life in this folder has sent nothing. */
export async function uncertainIn(dir: string): Promise<Uncertain[] | undefined> {
  const known = await recordIn(dir);
  // What it has only found in the conversation was not sent by it.
  if (!known.some(({ item }) => item.id === PROMPT)) return undefined;
  return known
    .filter(({ state }) => state !== "ended")
    .map(({ item, state }) => ({ ...item, accepted: state === "accepted" }));
}

/** What it has said for certain. */
export const endedIn = async (dir: string): Promise<Item[]> =>
  (await recordIn(dir)).flatMap(({ item, state }) => (state === "ended" ? [item] : []));

/** A line that was cut short is none. */
async function recordIn(dir: string): Promise<{ item: Item; state: State }[]> {
  const text = await readUntrusted(join(dir, DELIVERIES), BYTES_MAX);
  const known = new Map<string, { item: Item; state: State }>();
  for (const line of (text ?? "").split("\n")) {
    const { state, items } = parseObject(line) ?? {};
    if (!isState(state) || !Array.isArray(items)) continue;
    for (const item of items.filter(isItem)) known.set(item.id, { item, state });
  }
  return [...known.values()];
}

const isState = (value: unknown): value is State =>
  value === "sending" || value === "accepted" || value === "ended";

const isItem = (value: unknown): value is Item =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Item).id === "string" &&
  typeof (value as Item).file === "string";
