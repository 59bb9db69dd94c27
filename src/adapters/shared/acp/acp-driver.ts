// Drives an agent that speaks the Agent Client Protocol (v1, JSON-RPC over stdin and stdout).
//
// The protocol answers a prompt only when its turn is over. That a prompt has arrived is known
// earlier: requests are read in order, so the answer to a small request that is sent behind the
// prompt, even "no such method", shows that the program has read the prompt.
import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type NewSessionRequest,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { isObject } from "../../../lib/json-object.ts";
import {
  NeedsPerson,
  ProgramEnded,
  type CreateDriver,
  type Driver,
  type DriverOptions,
  type Opened,
  type OpenRequest,
  type TurnEnd,
} from "../agent-host/driver.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { Meter } from "./meter.ts";
import { startProgram, type Exit, type Program } from "./program.ts";
import { Questions } from "./questions.ts";
import { applyChoices, chosenModel, type SessionState } from "./session-choices.ts";
import { endedTurn, failedTurn } from "./turn-end.ts";
import { isSignedOut, protocolProblem, signedOutText, versionWarnings } from "./unusable.ts";
import { Updates } from "./updates.ts";

const PING = "_pawl/ping";
const STEER = "_session/steering";
/** A turn's text is kept only to find the words by which an agent says that it failed. */
const SAID_MAX = 20_000;

/** Between the end of a program's output and its own. */
const BROKEN_MS = 2_000;
/** A guard for programs that wait for a login in a browser; a long conversation takes its time. */
const OPEN_MAX_MS = 10 * 60_000;

/** Updates that only a turn brings; modes, commands and usage are told at any time. */
const TURN_SIGNS: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

class CannotResume extends Error {
  override readonly name = "CannotResume";
}

/** The agent, or this driver, said what is wrong; everything else is a connection that broke. */
const isAnswer = (error: unknown): boolean =>
  error instanceof RequestError || error instanceof NeedsPerson || error instanceof CannotResume;

export const createAcpDriver: CreateDriver = (options) => new AcpDriver(options);

class AcpDriver implements Driver {
  readonly #options: DriverOptions;
  readonly #settings: AcpSettings;
  readonly #exited = Promise.withResolvers<Exit>();
  readonly #updates = new Updates();
  readonly #questions: Questions;
  readonly #meter: Meter;
  readonly exited = this.#exited.promise;
  steer?: (text: string) => Promise<boolean>;
  #program: Program | undefined;
  #agent: ClientContext | undefined;
  #started: InitializeResponse | undefined;
  #session = "";
  /** While the agent repeats what was said, nothing of it is news. */
  #replayed: string[][] | undefined;
  #said = "";
  /** Called at the first sign that the prompt under way has arrived. */
  #onSign = (): void => {};
  /** In the turn under way the model has said or done something. */
  #isAtWork = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#questions = new Questions(options.onEvent);
    this.#meter = new Meter(options, this.#settings.usage ?? "turn");
  }

  async open(request: OpenRequest): Promise<Opened> {
    const program = await startProgram(this.#options);
    this.#program = program;
    program.exited.then(
      (exit) => this.#exited.resolve(exit),
      () => undefined,
    );
    const early = program.exited.then(({ reason }): never => {
      const said = program.lastWords();
      throw new ProgramEnded(`${this.#options.argv[0] ?? ""} ended with ${reason}: ${said}`);
    });
    const opened = this.#open(program, request).catch((error: unknown) => {
      if (isSignedOut(error)) throw new NeedsPerson(this.#signedOut(error));
      if (isAnswer(error)) throw error;
      // A connection that breaks is no answer: `early` says what became of the program. One that
      // lives on has met a failure of this host.
      return Promise.race([early, failsAfter(BROKEN_MS, String(error))]);
    });
    const late = failsAfter(OPEN_MAX_MS, `no conversation within ${OPEN_MAX_MS / 60_000} minutes`);
    return Promise.race([opened, early, late]);
  }

  async #open(program: Program, request: OpenRequest): Promise<Opened> {
    const connection = client({ name: "pawl" })
      .onNotification("session/update", ({ params }) => this.#updated(params))
      .onRequest("session/request_permission", ({ params }) => {
        this.#sign();
        return this.#questions.permission(params);
      })
      .onRequest("elicitation/create", ({ params }) => {
        this.#sign();
        return this.#questions.form(params);
      })
      // Agents tell more than the protocol knows.
      .onNotification("*", () => {})
      .connect(ndJsonStream(program.input, program.output));
    const { agent } = connection;
    this.#agent = agent;
    const started = await agent.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
      clientInfo: { name: "pawl", version: "1" },
    });
    this.#started = started;
    const problem = protocolProblem(this.#settings, started);
    if (problem !== undefined) throw new NeedsPerson(problem);
    for (const text of versionWarnings(this.#settings, started)) {
      this.#options.onEvent({ kind: "warning", text });
    }
    const { conversation, said, state } = await this.#conversation(agent, started, request);
    this.#session = conversation;
    await this.#meter.open();
    this.#meter.model = this.#options.model ?? chosenModel(state);
    if (canSteer(started)) this.steer = (text) => this.#steer(text);
    await applyChoices(agent, { session: conversation, state, ...this.#options });
    return { conversation, said };
  }

  async #conversation(
    agent: ClientContext,
    { agentCapabilities: can }: InitializeResponse,
    { resume, history }: OpenRequest,
  ): Promise<Opened & { state: SessionState }> {
    const { meta: _meta = null } = this.#settings;
    const place: NewSessionRequest = { cwd: this.#options.workspace, mcpServers: [], _meta };
    if (resume === undefined) {
      const state = await agent.request("session/new", place);
      return { conversation: state.sessionId, said: [], state };
    }
    const canResume = can?.sessionCapabilities?.resume ?? undefined;
    const isLoaded = can?.loadSession === true && (history || canResume === undefined);
    if (!isLoaded && canResume === undefined) {
      throw new CannotResume("this agent cannot resume a conversation");
    }
    this.#replayed = [];
    const method = isLoaded ? "session/load" : "session/resume";
    const state: SessionState = await agent.request(method, { ...place, sessionId: resume });
    // Some agents answer before they have repeated everything.
    if (isLoaded) for (const _ of [1, 2]) await this.#isRead();
    const said = this.#replayed.flatMap((chunks) => [chunks.join(""), chunks.join("\n")]);
    this.#replayed = undefined;
    return { conversation: resume, said: isLoaded ? said : undefined, state };
  }

  async prompt(text: string, onAccepted: () => void): Promise<TurnEnd> {
    const agent = this.#agent;
    if (agent === undefined) return { kind: "gone" };
    this.#said = "";
    this.#isAtWork = false;
    this.#onSign = () => {
      this.#onSign = () => {};
      onAccepted();
    };
    const prompt = [{ type: "text" as const, text }];
    const turn = this.#turn(agent.request("session/prompt", { sessionId: this.#session, prompt }));
    const whenRead = this.#isRead().then((isRead) => {
      if (isRead) this.#onSign();
    });
    const gone = this.exited.then((): TurnEnd => ({ kind: "gone" }));
    const end = await Promise.race([turn, gone]);
    if (end.kind !== "gone") await whenRead;
    this.#onSign = () => {};
    this.#updates.turnEnded();
    return end;
  }

  async #turn(asked: Promise<{ stopReason: string }>): Promise<TurnEnd> {
    const { failureText } = this.#settings;
    try {
      const response = await asked;
      this.#meter.turnEnded(response, this.#updates.usd);
      return endedTurn(response, { text: this.#said, failureText }, Date.now());
    } catch (error) {
      // A connection that broke without an answer.
      if (!(error instanceof RequestError)) return { kind: "gone" };
      this.#meter.turnEnded({}, this.#updates.usd);
      if (isSignedOut(error)) return { kind: "refused", reason: this.#signedOut(error) };
      const end = failedTurn(error, Date.now());
      return end.kind === "failed" && !this.#isAtWork ? { ...end, kind: "refused" } : end;
    } finally {
      this.#questions.cancelAll();
    }
  }

  /** True: everything that was sent before has been read. */
  async #isRead(): Promise<boolean> {
    try {
      await this.#agent?.request(PING, {});
      return true;
    } catch (error) {
      return error instanceof RequestError;
    }
  }

  async #steer(text: string): Promise<boolean> {
    try {
      const answer = await this.#agent?.request(STEER, {
        sessionId: this.#session,
        prompt: [{ type: "text", text }],
        _meta: { steering: { idleBehavior: "promptRequired" } },
      });
      return isObject(answer) && answer["outcome"] === "injected";
    } catch {
      // Refused, or the program has ended: the message waits for the next turn, or the next life.
      return false;
    }
  }

  #signedOut({ message }: RequestError): string {
    return signedOutText(this.#settings, { message, started: this.#started });
  }

  async interrupt(): Promise<void> {
    await this.#agent?.notify("session/cancel", { sessionId: this.#session });
    this.#questions.cancelAll();
  }

  async answer(id: string, choice: number): Promise<void> {
    this.#questions.answer(id, choice);
  }

  async close(): Promise<void> {
    if (this.#program === undefined) this.#exited.resolve({ code: undefined, reason: "no start" });
    await this.#program?.end();
  }

  #updated({ update }: SessionNotification): void {
    if (this.#replayed !== undefined) {
      this.#replay(update);
      return;
    }
    if (TURN_SIGNS.has(update.sessionUpdate)) this.#sign();
    for (const event of this.#updates.read(update)) {
      if (event.kind === "text") this.#said = `${this.#said}${event.text}`.slice(-SAID_MAX);
      this.#options.onEvent(event);
    }
    if (update.sessionUpdate === "usage_update") this.#meter.costChanged(this.#updates.usd);
  }

  #sign(): void {
    this.#isAtWork = true;
    this.#onSign();
  }

  /** Chunks of one message follow each other, and so may two messages. */
  #replay(update: SessionNotification["update"]): void {
    const isUser = update.sessionUpdate === "user_message_chunk";
    if (!isUser) this.#replayed?.push([]);
    else if (update.content.type === "text") {
      if (this.#replayed?.length === 0) this.#replayed.push([]);
      this.#replayed?.at(-1)?.push(update.content.text);
    }
  }
}

const failsAfter = (ms: number, why: string): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new ProgramEnded(why)), ms).unref();
  });

function canSteer({ _meta: meta }: InitializeResponse): boolean {
  const steering = meta?.["steering"];
  return isObject(steering) && steering["supported"] === true;
}
