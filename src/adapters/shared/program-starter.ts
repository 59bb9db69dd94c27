// The daemon's side of starter-main.ts: starts that process and starts it again when it dies, sends it
// one order at a time, and puts streams and reports together to a program. Orders wait until that process
// is ready; where there is none, the daemon starts programs itself. One order at a time, because orders
// that wait in the channel would be carried out after the daemon was killed.
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ordered, type Exit } from "./ordered-program.ts";
import { startProgramsBy, type ProgramRequest, type Started } from "./program.ts";
import { createSerial } from "./serial.ts";

const isSource = import.meta.url.endsWith(".ts");
const MAIN = fileURLToPath(new URL(`./starter-main.${isSource ? "ts" : "js"}`, import.meta.url));
/** It holds next to nothing. */
const FLAGS = ["--max-semi-space-size=1", "--max-old-space-size=32"];
const RESTART_MS = 1000;
/** A program starts in milliseconds. */
const START_MS = 30_000;
/** Counted, so that a daemon that was stopped for long first reads what it was told meanwhile. */
const START_LOOKS = 30;
const ID_LENGTH = 36;

export type Order = ProgramRequest & { id: string };
/** The daemon has read which program's stdin it has. */
export type Greeted = { greeted: string };
export type Report =
  | { isReady: true }
  | { id: string; pid: number }
  /** The socket was removed, as programs that clean temporary folders do: nothing was started. */
  | { id: string; isUnreached: true }
  | { id: string; error: { code: string | undefined; message: string } }
  | { id: string; ended: Exit };

type Options = {
  /** Of this user alone, and of one daemon at a time. */
  folder: string;
  /** That process has died, and the programs it had started were ended. */
  onLost: (programs: number) => void;
  /** How long a program may take to start before that process is replaced. */
  startMs?: number;
};

const NAME = /^programs-\d+\.sock$/;

/** Programs are started by it until it is closed. */
export async function openProgramStarter(options: Options): Promise<{ close(): Promise<void> }> {
  const { folder } = options;
  const left = (await readdir(folder)).filter((name) => NAME.test(name));
  // By daemons that were killed.
  for (const name of left) await rm(join(folder, name), { force: true });
  const socket = join(folder, `programs-${process.pid}.sock`);
  const orders = new Map<string, Ordered>();
  let starter: ProgramStarter | undefined;
  const server = createServer((stream) =>
    greet(stream, orders, (id) => starter?.greeted(id)),
  ).unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(socket, resolve);
  });
  starter = new ProgramStarter({ ...options, socket, server, orders });
  return starter;
}

type Parts = Options & { socket: string; server: Server; orders: Map<string, Ordered> };

class ProgramStarter {
  readonly #parts: Parts;
  readonly #serial = createSerial();
  #process: ChildProcess | undefined;
  /** Of that process: true when it can take orders, false when it has died. */
  #ready = Promise.withResolvers<boolean>();
  #restart: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#begin();
    startProgramsBy((request) => this.#start(request));
  }

  #begin(): void {
    const process = fork(MAIN, [this.#parts.socket], {
      execArgv: FLAGS,
      env: {},
      cwd: "/",
      // Ctrl-C is for the daemon.
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    process.on("message", (report: Report) => this.#hear(report));
    process.on("error", () => this.#lost(process));
    process.once("exit", () => this.#lost(process));
    process.unref();
    process.channel?.unref();
    this.#process = process;
    this.#ready = Promise.withResolvers();
  }

  #start(request: ProgramRequest): Promise<Started | undefined> {
    return this.#serial("", async () => {
      const process = this.#process;
      // Until the program has started; from then on its streams keep this process alive.
      process?.channel?.ref();
      // A daemon that starts asks for a program for each project at once: here each would stop it.
      const isReady = process !== undefined && (await this.#ready.promise);
      if (!isReady || this.#process !== process) return undefined;
      const order: Order = { ...request, id: randomUUID() };
      const { orders } = this.#parts;
      const ordered = new Ordered(request.stdio, () => orders.delete(order.id));
      orders.set(order.id, ordered);
      process.send(order);
      const bound = this.#bound(process);
      return ordered.started.finally(() => {
        clearInterval(bound);
        process.channel?.unref();
      });
    });
  }

  /**
   * Out of files, the daemon closes a stream before it is read, and neither side hears of it: the order
   * would wait for ever, and all others behind it.
   */
  #bound(process: ChildProcess): NodeJS.Timeout {
    let looks = 0;
    return setInterval(
      () => {
        looks += 1;
        if (looks === START_LOOKS) this.#lost(process);
      },
      (this.#parts.startMs ?? START_MS) / START_LOOKS,
    );
  }

  greeted(id: string): void {
    const message: Greeted = { greeted: id };
    // One that has died is seen by its exit.
    if (this.#process?.connected === true) this.#process.send(message, () => {});
  }

  #hear(report: Report): void {
    if ("isReady" in report) return this.#ready.resolve(true);
    const ordered = this.#parts.orders.get(report.id);
    if ("pid" in report) ordered?.begun(report.pid);
    else if ("ended" in report) ordered?.ended(report.ended);
    else if ("isUnreached" in report) ordered?.failed(undefined);
    else ordered?.failed(Object.assign(new Error(), report.error));
  }

  #lost(process: ChildProcess): void {
    if (this.#process !== process) return;
    process.kill("SIGKILL");
    this.#process = undefined;
    this.#ready.resolve(false);
    this.#restart = setTimeout(() => this.#begin(), RESTART_MS).unref();
    this.#parts.onLost(this.#loseAll());
  }

  #loseAll(): number {
    const lost = [...this.#parts.orders.values()];
    this.#parts.orders.clear();
    for (const ordered of lost) ordered.lose();
    return lost.length;
  }

  async close(): Promise<void> {
    startProgramsBy(undefined);
    clearTimeout(this.#restart);
    const process = this.#process;
    this.#process = undefined;
    this.#ready.resolve(false);
    this.#parts.server.close();
    this.#loseAll();
    if (process?.pid === undefined) return;
    process.ref();
    const exited = once(process, "exit");
    // It may be dead already. What it has started lives on.
    if (process.kill("SIGKILL")) await exited;
  }
}

/** A stream says first which one it is. */
function greet(
  socket: Socket,
  orders: ReadonlyMap<string, Ordered>,
  hasStdin: (id: string) => void,
): void {
  // A stream that breaks is judged by how the program ended.
  socket.on("error", () => socket.destroy());
  const onReadable = (): void => {
    const greeting = (socket.read(ID_LENGTH + 1) as Buffer | null)?.toString("latin1");
    if (greeting === undefined) return;
    socket.off("readable", onReadable);
    const id = greeting.slice(0, ID_LENGTH);
    const index = Number(greeting.slice(ID_LENGTH));
    const ordered = orders.get(id);
    if (ordered === undefined) return void socket.destroy();
    ordered.connected(index, socket);
    if (index === 0) hasStdin(id);
  };
  socket.on("readable", onReadable);
}
