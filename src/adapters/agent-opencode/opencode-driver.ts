// opencode as a server: `opencode serve` on loopback, with the host as one client and opencode's own
// screen in the pane (`opencode attach`) as another, once a person asks for it. Both see the same
// session, so a person may type at any time.
//
//   server ──> session (begun or resumed) ──> first prompt ──> screen, on demand
//
// The request that carries a prompt is answered before opencode has stored it: the prompt is delivered
// when the server's events tell that it stands in the session.
import type { AgentServer } from "../shared/agent-host/agent-server.ts";
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
import { RefusedError, type OpencodeClient, type OpencodeEvent } from "./client.ts";
import { readEvent, type Message, type Part } from "./events.ts";
import { readAsked, settledBy, type Reply } from "./questions.ts";
import { SentPrompts } from "./sent-prompts.ts";
import { Sessions, type SessionInfo } from "./sessions.ts";
import { startServer } from "./start-server.ts";
import type { Status, TurnError } from "./turn-end.ts";
import { Turns } from "./turns.ts";
import { UsageMeter } from "./usage-meter.ts";
import { TESTED } from "./versions.ts";

/** Written at the launch (opencode-agent.ts). */
export type OpencodeSettings = {
  permission: { permission: string; pattern: string; action: "allow" | "ask" | "deny" }[];
  system: string;
};

export class OpencodeDriver implements Driver {
  /** It needs as much memory and start-up time as its server, and is seldom looked at. */
  readonly screen = new OwnScreen("on demand");
  readonly exited: Driver["exited"];
  readonly #options: DriverOptions;
  readonly #life = new ProgramLife("opencode", () => this.screen.close());
  readonly #questions: OpenQuestions;
  readonly #usage: UsageMeter;
  readonly #prompts = new SentPrompts();
  readonly #turns: Turns;
  #server: AgentServer | undefined;
  #client: OpencodeClient | undefined;
  #shown: ScreenRequest | undefined;
  readonly #sessions = new Sessions();

  constructor(options: DriverOptions) {
    this.#options = options;
    this.exited = this.#life.exited;
    this.#questions = new OpenQuestions(options.onEvent);
    this.#usage = new UsageMeter(options.onEvent);
    this.#turns = new Turns({
      onEvent: options.onEvent,
      interrupt: () => this.#life.watch(this.interrupt()),
      sayAgain: () => this.#sayAgain(),
      now: Date.now,
    });
  }

  async open({ resume, history }: OpenRequest): Promise<Opened> {
    const { argv, workspace } = this.#options;
    const { server, client, version, env } = await startServer(this.#options, (started) => {
      this.#server = started;
    });
    this.#client = client;
    this.#life.watch(server.exited, (exited) => this.#life.over(exited));
    for (const text of olderThan(version, TESTED)) this.#options.onEvent({ kind: "warning", text });
    // Without its events the host would hear of nothing: the next life begins with another server.
    const onEnd = (): void => this.#life.watch(server.close());
    await this.#life.racing(client.listen((event) => this.#hear(event), onEnd));
    await this.#life.racing(this.#begin(client, resume));
    const shown = ["attach", client.url, "--session", this.#sessions.own, "--dir", workspace];
    this.#shown = { argv: [...argv, ...shown], env, cwd: workspace };
    const said = history ? await this.#life.racing(client.said(this.#sessions.own)) : undefined;
    return { conversation: this.#sessions.own, said };
  }

  async #begin(client: OpencodeClient, resume: string | undefined): Promise<void> {
    // Checked by the configuration, and written by opencode-agent.ts alone.
    const { permission } = this.#options.settings as OpencodeSettings;
    const opened =
      resume === undefined
        ? await client.post("/session", { title: "Pawl", permission })
        : // Added to those of the life before, and the last one counts: this one has another folder.
          await client.patch(`/session/${resume}`, { permission });
    const { id } = opened as { id: string };
    if (resume !== undefined && id !== resume) {
      throw new Error(`opencode opened session ${id} in place of ${resume}`);
    }
    this.#sessions.own = id;
    this.#usage.knows(await client.get("/config/providers"));
  }

  async prompt(text: string, onAccepted: () => void): Promise<TurnEnd> {
    const ended = this.#turns.begin();
    const sent = this.#send(text).then(
      () => {
        onAccepted();
        if (this.#shown !== undefined) this.screen.ready(this.#shown);
      },
      (error: unknown) => {
        // Otherwise the server is gone, or as good as that.
        if (!(error instanceof RefusedError)) throw error;
        this.#turns.refused(`opencode refuses the prompt: ${error.message}`);
      },
    );
    this.#life.watch(sent);
    return Promise.race([this.exited.then((): TurnEnd => ({ kind: "gone" })), ended]);
  }

  /** A prompt during a turn joins it; where that has just ended, opencode begins another. */
  async steer(text: string): Promise<boolean> {
    if (!this.#turns.isBusy) return false;
    return this.#unlessRefused(this.#life.racing(this.#send(text)));
  }

  async interrupt(): Promise<void> {
    const asked = this.#client?.post(`/session/${this.#sessions.own}/abort`, {});
    // It has ended by itself.
    await this.#unlessRefused(asked);
  }

  async answer(id: string, choice: number): Promise<void> {
    const chosen = this.#questions.take(id, choice);
    if (chosen === undefined) return;
    const { path, body } = chosen.result as Reply;
    // It was answered at the screen meanwhile.
    await this.#unlessRefused(this.#client?.post(path, body));
  }

  async close(): Promise<void> {
    this.screen.close();
    await this.#server?.close();
    this.#client?.close();
    this.#life.over({ code: 0, reason: "closed" });
  }

  /** Resolves when the prompt stands in the session. */
  async #send(text: string): Promise<void> {
    const stored = this.#prompts.begin(text);
    try {
      await this.#post({ parts: [{ type: "text", text }] });
    } catch (error) {
      this.#prompts.drop(text);
      throw error;
    }
    await stored;
  }

  async #post(message: { messageID?: string; parts: unknown[] }): Promise<void> {
    const { model, settings } = this.#options;
    const { system } = settings as OpencodeSettings;
    const [providerID = "", ...modelID] = (model ?? "").split("/");
    await this.#client?.post(`/session/${this.#sessions.own}/prompt_async`, {
      ...message,
      system,
      ...(model === undefined ? {} : { model: { providerID, modelID: modelID.join("/") } }),
    });
  }

  #sayAgain(): boolean {
    const left = this.#prompts.takeUnanswered();
    if (left === undefined) return false;
    const { messageID, partID: id, text } = left;
    this.#life.watch(this.#post({ messageID, parts: [{ id, type: "text", text }] }));
    return true;
  }

  #hear(event: OpencodeEvent): void {
    const { type, properties } = event;
    const session = String(properties["sessionID"]);
    if (type === "session.created") this.#sessions.hear(properties["info"] as SessionInfo);
    if (!this.#sessions.has(session)) return;
    this.#questions.add(readAsked(event));
    const settled = settledBy(event);
    if (settled !== undefined) this.#questions.resolved(settled);
    const isOwn = session === this.#sessions.own;
    if (type === "message.updated") this.#usage.hear(properties["info"] as Message, isOwn);
    if (isOwn) this.#hearOwn(event);
    // Its own agents work in sessions of their own: that they do is a sign of work.
    else if (type === "message.part.updated") this.#options.onEvent({ kind: "thought" });
  }

  #hearOwn(event: OpencodeEvent): void {
    const { type, properties } = event;
    if (type === "session.error") this.#turns.failed(properties["error"] as TurnError);
    if (type === "message.updated") this.#prompts.hearMessage(properties["info"] as Message);
    if (type === "message.part.updated") this.#prompts.hearPart(properties["part"] as Part);
    for (const one of readEvent(event)) {
      // A tool that ends with its turn is told after it: told as work, it would hide that end.
      if (one.kind !== "tool" || this.#turns.isBusy) this.#options.onEvent(one);
    }
    if (type !== "session.status") return;
    this.#turns.hear(properties["status"] as Status);
    if (!this.#turns.isBusy) this.#questions.allResolved();
  }

  async #unlessRefused(work: Promise<unknown> | undefined): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      if (error instanceof RefusedError) return false;
      throw error;
    }
  }
}
