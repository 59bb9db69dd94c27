// Starts `opencode serve` on loopback, with a password, and waits until it answers.
//
// All opencodes of a user share one database. Where several start at once with a new version of it,
// each tries to build its tables, and all but one of them fail: they are started again.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AgentServer } from "../shared/agent-host/agent-server.ts";
import { ProgramEnded, type DriverOptions } from "../shared/agent-host/driver.ts";
import { freePort } from "../shared/free-port.ts";
import { OpencodeClient } from "./client.ts";

const STARTS_MAX = 4;
const PAUSE_MS = 500;

type Place = Pick<DriverOptions, "argv" | "env" | "workspace" | "dir">;

export type Started = {
  server: AgentServer;
  client: OpencodeClient;
  version: string;
  /** With the password, for its other clients. */
  env: Record<string, string>;
};

/** `onStart`: told of each server that was started, before it answers: the caller ends it. */
export async function startServer(
  place: Place,
  onStart: (server: AgentServer) => void,
): Promise<Started> {
  for (let starts = 1; ; starts += 1) {
    const begun = await begin(place);
    const { server, client } = begun;
    onStart(server);
    const watched = { hasEnded: false };
    const ended = server.exited.then(() => {
      watched.hasEnded = true;
    });
    try {
      const version = await server.ready(() => client.version());
      return { ...begun, version };
    } catch (error) {
      client.close();
      // Otherwise it is not there, or does not answer.
      const hasFailed = error instanceof ProgramEnded && watched.hasEnded;
      if (!hasFailed || starts === STARTS_MAX) throw error;
      await ended;
      await wait(PAUSE_MS);
    }
  }
}

async function begin(place: Place): Promise<Omit<Started, "version">> {
  const { argv, dir, workspace } = place;
  const password = randomUUID();
  const port = await freePort();
  const env = { ...place.env, OPENCODE_SERVER_PASSWORD: password };
  const server = new AgentServer({
    argv: [...argv, "serve", "--hostname", "127.0.0.1", "--port", String(port)],
    env,
    cwd: workspace,
    log: join(dir, "opencode-server.log"),
    ownGroup: true,
  });
  return { server, client: new OpencodeClient({ port, password, workspace }), env };
}
