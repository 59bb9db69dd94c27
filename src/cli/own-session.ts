// What a command run by an agent may do in its own session: files of this life only, written without
// the daemon, because an agent must never wait for it.
import { join } from "node:path";
import type { Deps } from "./deps.ts";
import { usage } from "./options.ts";

/** A variable of the agent's contract; outside a session it is not set. */
export function ownFile(
  deps: Deps,
  variable: "PAWL_PHASE_FILE" | "PAWL_RESULT_FILE" | "PAWL_SPOOL",
): string {
  const path = deps.env[variable];
  if (path !== undefined && path !== "") return path;
  throw usage(
    `${variable} is not set: this command is for agents, inside their session`,
    "people use `pawl status`, `pawl hook show REF` and `pawl escalation answer REF`",
  );
}

/** Who this session is; undefined outside of one. */
export function ownIdentity({ env }: Pick<Deps, "env">): string | undefined {
  const { PAWL_ROLE: role, PAWL_NAME: name, PAWL_SPOOL: own } = env;
  return own === undefined || role === undefined || name === undefined
    ? undefined
    : `${role}-${name}`;
}

/** Puts an event into the spool of this life. */
export async function spool(deps: Deps, event: Record<string, unknown>): Promise<void> {
  const folder = ownFile(deps, "PAWL_SPOOL");
  const name = `${deps.now()}-${deps.newKey()}.json`;
  await deps.putText({
    temporary: join(folder, "tmp", name),
    path: join(folder, "new", name),
    text: `${JSON.stringify({ v: 1, at: deps.now(), ...event })}\n`,
  });
}
