// Codex as a server: `codex app-server` on a Unix socket, with the host as one client and Codex's own
// screen in the pane as another. Both see the same thread, so a person may type at any time.
//
//   server ──> thread (begun or resumed) ──> first turn ──> screen
//
// The screen comes after the first turn was accepted: Codex resumes no thread that has no message
// yet. A prompt is delivered when `turn/start` is answered.
import { join } from "node:path";
import { AgentServer } from "../shared/agent-host/agent-server.ts";
import type {
  Driver,
  DriverOptions,
  Opened,
  OpenRequest,
  TurnEnd,
} from "../shared/agent-host/driver.ts";
import { OpenQuestions } from "../shared/agent-host/open-questions.ts";
import { OwnScreen, type ScreenRequest } from "../shared/agent-host/own-screen.ts";
import { ProgramLife } from "../shared/agent-host/program-life.ts";
import { olderThan } from "../shared/program-version.ts";
import { JoinedMessages } from "./joined.ts";
import { readNotification } from "./notifications.ts";
import type {
  Notifications,
  RateLimits,
  TextInput,
  ThreadSettings,
  ThreadTokens,
} from "./protocol.ts";
import { readAsked } from "./questions.ts";
import { RefusedError, Rpc, type Incoming } from "./rpc.ts";
import { readSaid } from "./said.ts";
import { removeSocket, socketPath } from "./socket-path.ts";
import { ThreadUsage } from "./thread-usage.ts";
import { turnEnd } from "./turn-end.ts";
import { TESTED, versionIn } from "./versions.ts";

/** Written at the launch (codex-agent.ts). */
export type CodexSettings = Omit<ThreadSettings, "cwd" | "model">;

type CompletedTurn = Notifications["turn/completed"]["turn"];
type Turn = { id: string; ended: (end: TurnEnd) => void };

export class CodexDriver implements Driver {
  readonly screen = new OwnScreen("always");
  readonly exited: Driver["exited"];
  readonly #options: DriverOptions;
  readonly #life = new ProgramLife("Codex", () => this.screen.close());
  #server: AgentServer | undefined;
  #rpc: Rpc | undefined;
  #shown: ScreenRequest | undefined;
  #thread = "";
  /** The turn under way, begun by Pawl or by a person. */
  #turn: string | undefined;
  /** The one that the host has asked for. */
  #own: Turn | undefined;
  #isStarting = false;
  readonly #joined = new JoinedMessages();
  readonly #questions: OpenQuestions;
  #limits: RateLimits | undefined;
  readonly #usage = new ThreadUsage();
  #hasSpoken = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.exited = this.#life.exited;
    this.#questions = new OpenQuestions(options.onEvent);
  }

  async open({ resume, history }: OpenRequest): Promise<Opened> {
    const { argv, env, dir, workspace, model } = this.#options;
    const path = await socketPath(dir);
    const server = new AgentServer({
      argv: [...argv, "app-server", "--listen", `unix://${path}`],
      env,
      cwd: workspace,
      log: join(dir, "codex-server.log"),
    });
    this.#server = server;
    this.#life.watch(server.exited, (exited) => this.#life.over(exited));
    const rpc = await server.ready(() => Rpc.connect(path, (message) => this.#hear(message)));
    this.#rpc = rpc;
    // Without its connection the host would hear of nothing: the next life begins with another.
    this.#life.watch(rpc.closed, () => server.close());
    return this.#life.racing(this.#begin(rpc, { path, resume, history, model }));
  }

  async #begin(
    rpc: Rpc,
    request: OpenRequest & { path: string; model: string | undefined },
  ): Promise<Opened> {
    const { argv, env, workspace } = this.#options;
    const { resume, path, model } = request;
    const { userAgent } = await rpc.call("initialize", {
      clientInfo: { name: "pawl", title: "Pawl", version: "1" },
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    rpc.notify("initialized");
    this.#compareVersion(userAgent);
    const settings = {
      // Checked by the configuration, and written by codex-agent.ts alone.
      ...(this.#options.settings as CodexSettings),
      cwd: workspace,
      ...(model === undefined ? {} : { model }),
    };
    const { thread, model: chosen } =
      resume === undefined
        ? await rpc.call("thread/start", settings)
        : await rpc.call("thread/resume", { ...settings, threadId: resume, excludeTurns: true });
    if (resume !== undefined && thread.id !== resume) {
      throw new Error(`Codex opened thread ${thread.id} in place of ${resume}`);
    }
    this.#thread = thread.id;
    this.#usage.model = chosen;
    const shown = ["resume", thread.id, "--remote", `unix://${path}`, "-C", workspace];
    this.#shown = {
      argv: [...argv, ...shown, "--no-alt-screen", "-c", "check_for_update_on_startup=false"],
      env,
      cwd: workspace,
    };
    return {
      conversation: thread.id,
      said: request.history ? await readSaid(rpc, thread) : undefined,
    };
  }

  async prompt(text: string, onAccepted: () => void): Promise<TurnEnd> {
    const rpc = this.#rpc;
    if (rpc === undefined) return { kind: "gone" };
    const { promise, resolve } = Promise.withResolvers<TurnEnd>();
    this.#isStarting = true;
    const asked = rpc.call("turn/start", { threadId: this.#thread, input: inputOf(text) });
    const started = asked.then(
      ({ turn }) => {
        this.#isStarting = false;
        this.#own = { id: turn.id, ended: resolve };
        this.#turn = turn.id;
        this.#hasSpoken = true;
        onAccepted();
        if (this.#shown !== undefined) this.screen.ready(this.#shown);
      },
      (error: unknown) => {
        this.#isStarting = false;
        resolve({ kind: "refused", reason: `Codex refuses the prompt: ${messageOf(error)}` });
      },
    );
    const gone = this.exited.then((): TurnEnd => ({ kind: "gone" }));
    return Promise.race([started.then(() => promise), gone]);
  }

  async steer(text: string): Promise<boolean> {
    const turn = this.#turn;
    if (turn === undefined || this.#rpc === undefined) return false;
    const id = this.#joined.send(text);
    const asked = this.#rpc.call("turn/steer", {
      threadId: this.#thread,
      input: inputOf(text),
      expectedTurnId: turn,
      clientUserMessageId: id,
    });
    try {
      await this.#life.racing(asked);
      return this.#joined.accepted(id);
    } catch {
      // The turn has ended meanwhile, or is one that takes no message, as a compaction.
      this.#joined.refused(id);
      return false;
    }
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || this.#rpc === undefined) return;
    try {
      await this.#life.racing(
        this.#rpc.call("turn/interrupt", { threadId: this.#thread, turnId: turn }),
      );
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof RefusedError)) throw error;
    }
  }

  async answer(id: string, choice: number): Promise<void> {
    const chosen = this.#questions.take(id, choice);
    if (chosen !== undefined) this.#rpc?.answer(chosen.id, chosen.result);
  }

  async close(): Promise<void> {
    this.screen.close();
    await this.#server?.close();
    this.#rpc?.close();
    await removeSocket(this.#options.dir);
    this.#life.over({ code: 0, reason: "closed" });
  }

  #hear({ id, method, params }: Incoming): void {
    const { onEvent } = this.#options;
    if (method === "account/rateLimits/updated") {
      this.#limits = (params as Notifications[typeof method]).rateLimits;
    }
    // Codex has threads of its own for errands.
    if (params["threadId"] !== this.#thread) return;
    if (id !== undefined) {
      this.#questions.add(readAsked(id, method, params));
      return;
    }
    if (method === "turn/started") this.#began((params as Notifications[typeof method]).turn.id);
    if (method === "serverRequest/resolved") {
      this.#questions.resolved((params as Notifications[typeof method]).requestId);
    }
    if (method === "thread/tokenUsage/updated") {
      this.#used((params as Notifications[typeof method]).tokenUsage.total);
    }
    if (method === "item/started" || method === "item/completed") {
      this.#joined.hear((params as Notifications[typeof method]).item);
    }
    for (const event of readNotification(method, params)) onEvent(event);
    if (method === "turn/completed") this.#ended((params as Notifications[typeof method]).turn);
  }

  #began(turn: string): void {
    this.#turn = turn;
    this.#hasSpoken = true;
    if (!this.#isStarting && this.#own?.id !== turn) this.#options.onEvent({ kind: "turn-began" });
  }

  #ended(turn: CompletedTurn): void {
    if (this.#turn === turn.id) this.#turn = undefined;
    this.#questions.allResolved();
    const left = this.#joined.left(turn.status);
    if (left === undefined) this.#settle(turn);
    else this.#life.watch(this.#sayLeft(turn, left));
  }

  /**
   * The host takes this turn and the one that ended for one. Where it is refused, this life ends, and
   * the next one looks for the message in the conversation.
   */
  async #sayLeft(turn: CompletedTurn, text: string): Promise<void> {
    this.#isStarting = true;
    try {
      const asked = { threadId: this.#thread, input: inputOf(text) };
      const next = (await this.#rpc?.call("turn/start", asked))?.turn.id;
      this.#turn = next;
      if (this.#own?.id === turn.id && next !== undefined) this.#own.id = next;
    } finally {
      this.#isStarting = false;
    }
  }

  #settle(turn: CompletedTurn): void {
    const end = turnEnd(turn, { limits: this.#limits, now: Date.now() });
    const own = this.#own;
    if (own?.id !== turn.id) {
      this.#options.onEvent({ kind: "turn-ended", end });
      return;
    }
    this.#own = undefined;
    own.ended(end);
  }

  #used(total: ThreadTokens): void {
    if (this.#hasSpoken) this.#options.onEvent(this.#usage.used(total));
    else this.#usage.setBefore(total);
  }

  #compareVersion(userAgent: string): void {
    const version = versionIn(userAgent);
    for (const text of version === undefined ? [] : olderThan(version, TESTED)) {
      this.#options.onEvent({ kind: "warning", text });
    }
  }
}

const inputOf = (text: string): TextInput[] => [{ type: "text", text, text_elements: [] }];
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
