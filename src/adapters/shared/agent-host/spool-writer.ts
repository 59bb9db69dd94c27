// Puts events into the session's spool in the form that agents' hooks use (core/session/spool.ts):
// written aside and renamed, named so that they are read in the order in which they were written.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { errorCode } from "../../../lib/error-code.ts";
import { createSerial } from "../serial.ts";

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
    return inOrder(dir, () => put(dir, name, text));
  };
}

async function put(dir: string, name: string, text: string): Promise<void> {
  const aside = join(dir, "spool", "tmp", name);
  try {
    await writeFile(aside, text, { mode: 0o600 });
    await rename(aside, join(dir, "spool", "new", `${name}.json`));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    process.stderr.write(`pawl: cannot report through the spool: ${String(error)}\r\n`);
  }
}
