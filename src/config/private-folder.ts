// The folder of the sockets belongs to this user alone, or it is not used. Its place is predictable
// and may be in /tmp, where another user can make it first.
//
// Node cannot ask a Unix socket who is at its other end (SO_PEERCRED). This check is enough without
// it: a folder that belongs to us and that no one else can write to holds only what we (or root) put
// there, and no other user can exchange a folder above it: each belongs to us or to root and is
// either closed to others or sticky, as /tmp is. So the socket in it was bound by our own account.
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../lib/error-code.ts";
import { makeFolder } from "./make-folder.ts";
import { OperationError } from "../lib/operation-error.ts";

const GROUP_AND_OTHERS = 0o077;
const WRITABLE_BY_GROUP_OR_OTHERS = 0o022;
const WRITABLE_BY_OTHERS = 0o002;
const STICKY = 0o1000;
/** What the kernel shows for owners that a container does not know. */
const UNKNOWN_OWNER = 65_534;

/** Throws where a part of it that is there already is not ours alone. Makes nothing. */
export function checkPrivate(folder: string, uid = ownUid()): void {
  for (const own of [dirname(folder), folder]) {
    const found = look(own);
    if (found === undefined) continue;
    if (!found.isDirectory()) throw unsafe(own, "it is not a folder");
    if (found.uid !== uid) throw unsafe(own, `it belongs to user ${found.uid}, you are ${uid}`);
    if ((found.mode & WRITABLE_BY_GROUP_OR_OTHERS) !== 0) {
      throw unsafe(own, `others can write to it (mode ${modeOf(found)})`);
    }
  }
  const above = dirname(dirname(folder));
  checkAbove(above, uid);
  // Where a part of the path is a link, its target counts as well.
  if (existsSync(above)) checkAbove(realpathSync(above), uid);
}

/** Makes the folder where it is missing and closes it to others. Nothing is made in a folder that
 * fails the check. */
export function usePrivate(folder: string, uid = ownUid()): void {
  makeFolder(dirname(dirname(folder)), {
    what: "the folder of the daemon's sockets",
    hint: "set XDG_RUNTIME_DIR to a folder that only you can write to",
  });
  for (const own of [dirname(folder), folder]) {
    makeOne(own);
    const found = look(own);
    const isOurs = found?.isDirectory() === true && found.uid === uid;
    if (!isOurs) break;
    if ((found.mode & GROUP_AND_OTHERS) !== 0) chmodSync(own, 0o700);
  }
  checkPrivate(folder, uid);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** True for a socket that this user has bound, in a folder that was checked. */
export const isOwnSocket = (path: string, uid = ownUid()): boolean => {
  const found = look(path);
  return found?.isSocket() === true && found.uid === uid;
};

function checkAbove(start: string, uid: number): void {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = look(folder);
    if (found !== undefined && !found.isSymbolicLink()) {
      const isOpen = (found.mode & WRITABLE_BY_OTHERS) !== 0 && (found.mode & STICKY) === 0;
      if (isOpen)
        throw unsafe(folder, `everyone can replace what is in it (mode ${modeOf(found)})`);
      if (![uid, 0, UNKNOWN_OWNER].includes(found.uid)) {
        throw unsafe(folder, `it belongs to user ${found.uid}, you are ${uid}`);
      }
    }
    if (folder === dirname(folder)) return;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const ownUid = (): number => process.getuid?.() ?? 0;
const modeOf = ({ mode }: Stats): string => (mode & 0o7777).toString(8);

const unsafe = (path: string, why: string): OperationError =>
  new OperationError(`cannot use ${path} for the daemon's sockets: ${why}`, {
    code: "unsafe-runtime",
    hint: "set XDG_RUNTIME_DIR to a folder that only you can write to, or remove this one",
  });
