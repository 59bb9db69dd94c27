// Terminals of agents in browsers. Looking on needs nothing but a ticket; typing needs the keyboard,
// which one browser has at a time and which holds the run: Pawl does nothing to the session until it
// is given back.
import { createSerial } from "../../adapters/shared/serial.ts";
import type { FromBrowser, ToBrowser } from "../../api/terminal.ts";
import { projectName, runAggregate, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import type { Factory } from "../host/factory.ts";
import { runNamed } from "../views/find-runs.ts";
import { actorOf, type Device } from "./devices.ts";
import { mayUse } from "./rights.ts";
import { TerminalOutput, type Screen } from "./terminal-output.ts";

/** Of a session that is over, its last words. */
const LOG_BYTES = 64_000;
/** As many as one command of tmux takes, at up to three bytes each. */
const KEYS_AT_ONCE = 1000;

export type TerminalPlace = Pick<Factory, "store" | "ports" | "paths" | "feed" | "app">;

type Socket = { json(message: ToBrowser): void; bytes(bytes: Uint8Array): void; fail(): void };
type Asked = { device: Device; project: string; ref: string };

export type TerminalConnection = { said(message: FromBrowser): void; closed(): void };

export class Terminals {
  readonly #place: TerminalPlace;
  /** Which connection types into which run. */
  readonly #keyboards = new Map<string, object>();

  constructor(place: TerminalPlace) {
    this.#place = place;
  }

  /** Undefined where there is no such run. */
  async open(asked: Asked, socket: Socket): Promise<TerminalConnection | undefined> {
    const run = await runNamed(this.#place.store, projectName(asked.project), asked.ref);
    if (run === undefined) return undefined;
    return new Connection({ place: this.#place, keyboards: this.#keyboards, run, asked, socket });
  }
}

type Opened = {
  place: TerminalPlace;
  keyboards: Map<string, object>;
  run: Run;
  asked: Asked;
  socket: Socket;
};

class Connection implements TerminalConnection {
  readonly #opened: Opened;
  readonly #id: AggregateId;
  readonly #by: string;
  readonly #gone = new AbortController();
  readonly #output: TerminalOutput;
  readonly #serial = createSerial();
  #shown = "";
  /** Who held the run before this browser did. */
  #heldBefore: string | undefined;

  constructor(opened: Opened) {
    const { run, place, socket, asked } = opened;
    this.#opened = opened;
    this.#id = runAggregate(run.project, run.id);
    this.#by = actorOf(asked.device);
    this.#output = new TerminalOutput({
      logFile: place.paths.paneLog(run.project, run.id),
      paint: () => this.#paint(),
      browser: {
        screen: ({ size, live }) => socket.json({ kind: "screen", ...size, live }),
        output: (bytes) => socket.bytes(bytes),
      },
      onError: () => socket.fail(),
    });
    this.#follow().catch(() => socket.fail());
  }

  said(message: FromBrowser): void {
    if (message.kind === "parsed") {
      this.#output.parsed(message.bytes);
      return;
    }
    // Keys come in the order in which they were pressed.
    this.#serial("keyboard", () => this.#do(message)).catch(() => this.#opened.socket.fail());
  }

  closed(): void {
    this.#gone.abort();
    this.#output.close();
    this.#serial("keyboard", () => this.#give()).catch(() => undefined);
  }

  async #do(message: Exclude<FromBrowser, { kind: "parsed" }>): Promise<void> {
    if (message.kind === "take") await this.#take();
    else if (message.kind === "give") await this.#give();
    else await this.#type(message.text);
    await this.#tell(await this.#run());
  }

  async #run(): Promise<Run> {
    const stored = await this.#opened.place.store.load(this.#id);
    return stored?.state.kind === "run" ? stored.state : this.#opened.run;
  }

  get #hasKeyboard(): boolean {
    return this.#opened.keyboards.get(this.#id) === this;
  }

  async #take(): Promise<void> {
    const { device } = this.#opened.asked;
    if (!mayUse(device.scope, "terminal")) {
      this.#refuse(`this browser was paired to ${device.scope}: \`pawl page --scope terminal\``);
      return;
    }
    if (this.#opened.keyboards.has(this.#id) && !this.#hasKeyboard) {
      this.#refuse("another browser has the keyboard");
      return;
    }
    const { held, session } = await this.#run();
    if (session?.status !== "live") {
      this.#refuse("its agent is not running");
      return;
    }
    if (this.#hasKeyboard || this.#gone.signal.aborted) return;
    this.#opened.keyboards.set(this.#id, this);
    this.#heldBefore = held?.by === this.#by ? undefined : held?.by;
    await this.#command("hold", this.#by);
  }

  /** What a person held before stays held; what was released meanwhile stays released. */
  async #give(): Promise<void> {
    if (!this.#hasKeyboard) return;
    this.#opened.keyboards.delete(this.#id);
    const { held } = await this.#run();
    if (held?.by !== this.#by) return;
    if (this.#heldBefore === undefined) await this.#command("release", this.#by);
    else await this.#command("hold", this.#heldBefore);
  }

  async #type(text: string): Promise<void> {
    const { held, session } = await this.#run();
    // Another person released it, or it was taken by the command line.
    if (this.#hasKeyboard && held?.by !== this.#by) this.#opened.keyboards.delete(this.#id);
    if (!this.#hasKeyboard) {
      this.#refuse("this browser does not have the keyboard");
      return;
    }
    if (session?.pane === undefined || session.process === undefined) return;
    const { pane } = session.pane;
    const { terminal } = this.#opened.place.ports;
    const { process } = session;
    const characters = Array.from(text);
    for (let at = 0; at < characters.length; at += KEYS_AT_ONCE) {
      const part = characters.slice(at, at + KEYS_AT_ONCE).join("");
      const typed = await terminal.type({ pane, process, text: part, as: "raw" });
      if (typed === "gone") this.#refuse("its agent is not running");
    }
  }

  #refuse(why: string): void {
    this.#opened.socket.json({ kind: "refused", why });
  }

  /** As the command line does it. */
  async #command(verb: "hold" | "release", by: string): Promise<void> {
    const { run, place } = this.#opened;
    const path = `/v1/runs/${encodeURIComponent(run.id)}/${verb}`;
    const url = `http://pawl${path}?project=${encodeURIComponent(run.project)}`;
    const headers = { "content-type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body: JSON.stringify({ by }) });
    const answer = await place.app.fetch(request);
    if (!answer.ok) this.#refuse(((await answer.json()) as { error: Error }).error.message);
  }

  /** Tells the browser who has the keyboard, whenever that changes. */
  async #follow(): Promise<void> {
    const { feed } = this.#opened.place;
    let pane: string | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const next = feed.next(this.#gone.signal);
      const run = await this.#run();
      const current = run.session?.status === "live" ? run.session.pane?.pane : undefined;
      // Another life, or the end of one.
      if (!isFirst && current !== pane) this.#output.repaint();
      pane = current;
      await this.#tell(run);
      if ((await next) === "closed") return;
    }
  }

  async #tell({ held }: Run): Promise<void> {
    const { asked, socket } = this.#opened;
    const message: ToBrowser = {
      kind: "keyboard",
      yours: this.#hasKeyboard && held?.by === this.#by,
      holder: held?.by ?? null,
      may: mayUse(asked.device.scope, "terminal"),
    };
    const text = JSON.stringify(message);
    if (text === this.#shown) return;
    this.#shown = text;
    socket.json(message);
  }

  async #paint(): Promise<Screen> {
    const { place, run } = this.#opened;
    const { session } = await this.#run();
    if (session?.status === "live" && session.pane !== undefined) {
      const painted = await place.ports.terminal.paint(session.pane.pane);
      if (painted !== "unknown") return { ...painted, live: true };
    }
    const logFile = place.paths.paneLog(run.project, run.id);
    const request = { logFile, maxBytes: LOG_BYTES, size: TERMINAL_SIZE };
    const text = await place.ports.sessionFiles.terminalLog(request);
    return { size: TERMINAL_SIZE, text: text.replaceAll("\n", "\r\n"), live: false };
  }
}
