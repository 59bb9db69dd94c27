// A program that another process started: its number, its end and its streams come one by one, in any
// order, and together they are what Node's ChildProcess is.
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { Program, ProgramRequest, Started } from "./program.ts";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** What is known of a program that was ordered: it is there when its number and all streams are. */
export class Ordered {
  readonly #streams: (Socket | null | undefined)[];
  readonly #resolve: (started: Started | undefined) => void;
  readonly #forget: () => void;
  readonly started: Promise<Started | undefined>;
  #pid: number | undefined;
  #program: RemoteProgram | undefined;
  #exit: Exit | undefined;

  /** `forget`: nothing more will be told of it. */
  constructor(stdio: ProgramRequest["stdio"], forget: () => void) {
    this.#forget = forget;
    this.#streams = stdio.map((kind) => (kind === "ignore" ? null : undefined));
    const { promise, resolve } = Promise.withResolvers<Started | undefined>();
    this.started = promise;
    this.#resolve = resolve;
  }

  connected(index: number, socket: Socket): void {
    this.#streams[index] = socket;
    this.#check();
  }

  begun(pid: number): void {
    this.#pid = pid;
    this.#check();
  }

  ended(exit: Exit): void {
    this.#exit = exit;
    this.#check();
  }

  /** Its end will not be told any more: it counts as killed, and its caller sees to that. */
  lose(): void {
    this.#program ??= new RemoteProgram(this.#pid, this.#streams);
    this.#program.isLost = true;
    this.ended({ code: null, signal: "SIGKILL" });
  }

  #check(): void {
    if (this.#program === undefined) {
      if (this.#pid === undefined || this.#streams.includes(undefined)) return;
      this.#program = new RemoteProgram(this.#pid, this.#streams);
    }
    const program = this.#program;
    const exit = this.#exit;
    this.#resolve(program);
    if (exit === undefined) return;
    this.#forget();
    // Not before the caller, who may still wait for the start, can listen.
    setImmediate(() => program.end(exit));
  }

  /** Without a cause: another process may start it. */
  failed(cause: Error | undefined): void {
    this.#forget();
    for (const stream of this.#streams) stream?.destroy();
    this.#resolve(cause && { cause });
  }
}

class RemoteProgram extends EventEmitter implements Program {
  readonly pid: number | undefined;
  readonly stdin: Socket | null;
  readonly stdout: Socket | null;
  readonly stderr: Socket | null;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  isLost = false;

  constructor(pid: number | undefined, streams: readonly (Socket | null | undefined)[]) {
    super();
    this.pid = pid;
    const [stdin, stdout, stderr] = streams;
    this.stdin = stdin ?? null;
    this.stdout = stdout ?? null;
    this.stderr = stderr ?? null;
    for (const stream of [stdout, stderr]) stream?.once("close", () => this.#check());
    // A program that closes its input is seen only by one that reads from it.
    stdin?.resume();
  }

  /** Nothing but its streams keeps this process alive. */
  unref(): void {}

  end({ code, signal }: Exit): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.stdin?.destroy();
    this.emit("exit", code, signal);
    this.#check();
  }

  /** As of Node's own: it has ended, and its output was read to the end. */
  #check(): void {
    const hasEnded = this.exitCode !== null || this.signalCode !== null;
    if (!hasEnded || this.stdout?.closed === false || this.stderr?.closed === false) return;
    this.emit("close", this.exitCode, this.signalCode);
  }
}
