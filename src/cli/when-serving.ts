// Waits until a daemon that was just started serves. How long that takes depends on the machine: as long
// as the daemon works, the command waits; it gives up when the daemon does nothing, or keeps dying.
import { OperationError } from "../lib/operation-error.ts";

/** A daemon that does nothing for so long hangs, and one that has died by then will die again. */
const PATIENCE_MS = 20_000;

export type Starting = {
  now(): number;
  isServing(): Promise<boolean>;
  /** Why its keeper gave up, where it did. */
  ended(): OperationError | undefined;
  /** Whether it has died since it was started; its keeper starts it again. */
  hasDied(): boolean;
  /** Whether it has done anything since this was last asked; undefined where the system does not tell. */
  hasWorked(): Promise<boolean | undefined>;
  /** Resolves when something may have changed, or after a while. */
  changed(): Promise<void>;
  say(text: string): void;
  hint: string;
};

export async function whenServing(starting: Starting): Promise<void> {
  const begun = starting.now();
  let until = begun + PATIENCE_MS;
  for (;;) {
    if (await starting.isServing()) return;
    const ended = starting.ended();
    if (ended !== undefined) throw ended;
    const now = starting.now();
    if (now >= until) {
      const waitedS = Math.round((now - begun) / 1000);
      if (starting.hasDied()) {
        throw failed("the daemon crashes each time it starts; its keeper keeps trying", starting);
      }
      if ((await starting.hasWorked()) !== true) {
        throw failed(`the daemon did not answer within ${waitedS} s`, starting);
      }
      starting.say(`the daemon is still starting (${waitedS} s)\n`);
      until = now + PATIENCE_MS;
    }
    await starting.changed();
  }
}

const failed = (what: string, { hint }: Starting): OperationError =>
  new OperationError(what, { code: "unreachable", hint });
