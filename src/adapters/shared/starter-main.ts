// The process that starts programs for a daemon: `node starter-main.js SOCKET`. To start a program, the
// system copies the tables of the whole address space, and Node waits for it: in a daemon with a large
// heap that took 11 to 36 ms each, here it does not matter. It is told what to start over Node's channel,
// and connects each stream of the program to the daemon's socket, so that no byte passes through here. It
// ends with the daemon; programs live on, as they do when their parent dies.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import process from "node:process";
import type { Greeted, Order, Report } from "./program-starter.ts";

const [path = ""] = process.argv.slice(2);

const tell = (report: Report): void => {
  process.send?.(report);
};

/** By order: what waits until the daemon has read who its stdin is. */
const greeted = new Map<string, () => void>();

async function begin({ id, argv, cwd, env, stdio }: Order): Promise<void> {
  // Killed before it has read that, the daemon would leave a stdin that ends with an error instead of an
  // end: `git patch-id` reads on for ever then.
  const isHeard = stdio[0] === "pipe" && new Promise<void>((done) => greeted.set(id, done));
  const streams = stdio.map((kind, index) => (kind === "ignore" ? kind : greeting(id, index)));
  try {
    const unreached = () => "unreached" as const;
    const reached = await Promise.all(streams.map(whenConnected)).catch(unreached);
    if (reached === "unreached") return tell({ id, isUnreached: true });
    await isHeard;
    const [file = "", ...args] = argv;
    const child = spawn(file, args, { cwd, env, stdio: streams, detached: true });
    child.once("error", (error) => tell({ id, error: failure(error) }));
    child.once("exit", (code, signal) => tell({ id, ended: { code, signal } }));
    if (child.pid !== undefined) tell({ id, pid: child.pid });
  } finally {
    greeted.delete(id);
    for (const stream of streams) if (stream !== "ignore") stream.destroy();
  }
}

/** Nothing is read from it here: what the daemon writes is for the program. */
function greeting(id: string, index: number): Socket {
  const socket = connect(path).pause();
  // Whether it is connected is asked below; one that breaks later is seen by the daemon.
  socket.on("error", () => {});
  socket.write(`${id}${index}`);
  return socket;
}

async function whenConnected(stream: Socket | "ignore"): Promise<void> {
  if (stream !== "ignore" && stream.connecting) await once(stream, "connect");
}

const failure = (error: unknown): { code: string | undefined; message: string } => {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message };
};

// The daemon may be told to end together with its whole group, and needs programs to do so.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (order: Order | Greeted) => {
  if ("greeted" in order) return greeted.get(order.greeted)?.();
  begin(order).catch((error: unknown) => tell({ id: order.id, error: failure(error) }));
});
tell({ isReady: true });
