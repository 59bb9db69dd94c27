// Puts events into the session's spool in the form that agents' hooks use (core/session/spool.ts):
// written aside and renamed, named so that they are read in the order in which they were written. While
// the disk is full they wait here: a question or the end of a turn is said only once.
import { rename, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { errorCode } from "../../../lib/error-code.ts";
import { Folder } from "../folder.ts";
import { createSerial } from "../serial.ts";
import { complain, onceThereIsRoom } from "./once-there-is-room.ts";

const CANNOT = "cannot report through the spool";

export type SpoolFact = { kind: string } & Record<string, unknown>;

/** Resolves when the daemon can see it. A spool that is gone stops nothing. */
export type SpoolWriter = (fact: SpoolFact) => Promise<void>;

export function createSpool(dir: string): SpoolWriter {
  let number = 0;
  const inOrder = createSerial();
  return (fact) => {
    number += 1;
    const stamp = String(Date.now()).padStart(14, "0");
    const name = `${stamp}-${String(process.pid).padStart(7, "0")}-${String(number).padStart(7, "0")}`;
    const text = `${JSON.stringify({ v: 1, at: Date.now(), ...fact })}\n`;
    return inOrder(dir, () => putInTheEnd(dir, name, text));
  };
}

/** Those that come later wait for it, so that they are read in order. */
async function putInTheEnd(dir: string, name: string, text: string): Promise<void> {
  try {
    await onceThereIsRoom(
      () => put(dir, name, text),
      (error) => complain(`${CANNOT}: ${String(error)}; trying again`),
    );
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    complain(`${CANNOT}: ${String(error)}`);
  }
}

/** The agent can put a link in place of each folder: none is followed, and no file is written over. */
async function put(dir: string, name: string, text: string): Promise<void> {
  await using life = await Folder.open(dir);
  await using aside = await life.enter("spool/tmp");
  await using seen = await life.enter("spool/new");
  if (aside === undefined || seen === undefined) {
    return complain(`${CANNOT}: there is no spool, or a link in its place`);
  }
  try {
    await writeFile(aside.at(name), text, { mode: 0o600, flag: "wx" });
    await rename(aside.at(name), seen.at(`${name}.json`));
  } catch (error) {
    // A part of it may be there.
    await rm(aside.at(name), { force: true });
    throw error;
  }
}
