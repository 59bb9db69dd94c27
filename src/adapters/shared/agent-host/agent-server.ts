// The server of an agent that is driven over a socket: a child of the host, with its output in a
// file of the session's folder.
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { oneLine } from "../../../lib/one-line.ts";
import { cutTail } from "../cut-tail.ts";
import { ProgramEnded } from "./driver.ts";
import { ProgramLog } from "./program-log.ts";

export type ServerRequest = {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  /** Where its output goes. */
  log: string;
  /** Ctrl-C at the pane interrupts a turn, and must not end it. */
  ownGroup?: boolean;
};

export type Exited = { code: number | undefined; reason: string };

const LOOK_EVERY_MS = 20;
/** A guard: on a busy machine a program of 200 MB takes its time. */
const READY_MAX_MS = 120_000;
const SAID_MAX = 300;
/** A guard for programs that ignore that they are ended. */
const END_MAX_MS = 3_000;

export class AgentServer {
  readonly exited: Promise<Exited>;
  readonly #child: ChildProcess;
  readonly #log: ProgramLog;
  /** Why it could not be started. */
  #failure: Error | undefined;

  constructor(request: ServerRequest) {
    const [program = "", ...words] = request.argv;
    this.#log = new ProgramLog(request.log);
    const { fd } = this.#log;
    const { cwd, env, ownGroup: detached = false } = request;
    this.#child = spawn(program, words, { cwd, env, stdio: ["ignore", fd, fd], detached });
    const exited = Promise.withResolvers<Exited>();
    this.exited = exited.promise;
    this.#child.once("error", (error) => {
      this.#failure = error;
      exited.resolve({ code: undefined, reason: error.message });
    });
    this.#child.once("exit", (code, signal) => {
      const reason = signal === null ? `exit code ${code ?? "unknown"}` : `by ${signal}`;
      exited.resolve({ code: code ?? undefined, reason });
    });
  }

  /** Asks until `probe` has an answer. Rejects where the program is missing, ends before or is too slow. */
  async ready<T>(probe: () => Promise<T | undefined>): Promise<T> {
    return Promise.race([this.#hasEnded(), this.#ask(probe)]);
  }

  async close(): Promise<void> {
    this.#child.kill("SIGTERM");
    const ended = this.exited.then(() => true);
    const late = wait(END_MAX_MS, false, { ref: false });
    if (!(await Promise.race([ended, late]))) this.#child.kill("SIGKILL");
    await this.exited;
    this.#log.close();
  }

  #isOver(): boolean {
    const { exitCode, signalCode } = this.#child;
    return exitCode !== null || signalCode !== null || this.#failure !== undefined;
  }

  async #hasEnded(): Promise<never> {
    const { reason } = await this.exited;
    if (this.#failure !== undefined) throw this.#failure;
    const said = oneLine(cutTail(this.#log.end())).slice(-SAID_MAX);
    throw new ProgramEnded(`it ended at once (${reason})${said === "" ? "" : `: ${said}`}`);
  }

  async #ask<T>(probe: () => Promise<T | undefined>): Promise<T> {
    const end = performance.now() + READY_MAX_MS;
    while (!this.#isOver() && performance.now() < end) {
      const answer = await probe();
      if (answer !== undefined) return answer;
      await wait(LOOK_EVERY_MS);
    }
    if (this.#isOver()) return this.#hasEnded();
    throw new ProgramEnded(`it did not answer within ${READY_MAX_MS / 1000} s`);
  }
}
