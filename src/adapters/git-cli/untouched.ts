// Whether the files of a checkout are as git wrote them, by what its index says of them: as git itself
// finds out, without starting one. Only reads; reading is synchronous, so that few files are asked for.
import { lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Stats } from "node:fs";
import { errorCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { bytePath } from "./scan.ts";

/** About 10 ms of them. */
const FILES_MAX = 5000;
const HEADER_BYTES = 12;
/** What stands before the object's id in an entry. */
const FIXED_BYTES = 40;
const FLAGS_BYTES = 2;
const VERSION = 2;
const NAME_MASK = 0xfff;
/** Times are stored in nanoseconds, and Node tells parts of a millisecond. */
const TIME_ROUNDED_MS = 0.001;

/** Undefined where this cannot tell: then git is to look. `idBytes`: how long the ids of objects are. */
export async function isUntouched(
  folder: string,
  { index, idBytes }: { index: string; idBytes: number },
): Promise<boolean | undefined> {
  const bytes = await ifThere(readFile(index));
  if (bytes === undefined) return undefined;
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const count = bytes.readUInt32BE(8);
  if (bytes.readUInt32BE(4) !== VERSION || count > FILES_MAX) return undefined;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + FIXED_BYTES + idBytes;
    const length = bytes.readUInt16BE(flagsAt) & NAME_MASK;
    if (length === NAME_MASK) return undefined;
    const nameAt = flagsAt + FLAGS_BYTES;
    const name = bytes.toString("latin1", nameAt, nameAt + length);
    if (!isAsWritten(bytes, at, statsOf(folder, name))) return false;
    // At least one NUL, up to a multiple of 8.
    at += (nameAt - at + length + 8) & ~7;
  }
  return true;
}

/** Plain paths are twice as fast as byte strings. */
const PLAIN = /^[\x20-\x7e]*$/;

function statsOf(folder: string, name: string): Stats | undefined {
  try {
    const path = PLAIN.test(name) ? `${folder}/${name}` : bytePath(folder, name);
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

const FILE = 0o100000;
const LINK = 0o120000;
const KIND = 0o170000;
const EXECUTABLE = 0o100;

function isAsWritten(bytes: Buffer, at: number, stats: Stats | undefined): boolean {
  if (stats === undefined) return false;
  const [ino, mode, size] = [20, 24, 36].map((offset) => bytes.readUInt32BE(at + offset));
  const kind = (mode ?? 0) & KIND;
  if (kind !== FILE && kind !== LINK) return false;
  const isKind = (stats.mode & KIND) === kind;
  const isMode = kind === LINK || (stats.mode & EXECUTABLE) === ((mode ?? 0) & EXECUTABLE);
  return (
    isKind &&
    isMode &&
    // Git keeps 32 bits of each.
    stats.ino % 2 ** 32 === ino &&
    stats.size % 2 ** 32 === size &&
    isTime(bytes, at, stats.ctimeMs) &&
    isTime(bytes, at + 8, stats.mtimeMs)
  );
}

function isTime(bytes: Buffer, at: number, timeMs: number): boolean {
  const written = bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6;
  return Math.abs(written - timeMs) < TIME_ROUNDED_MS;
}
