// Terminals of agents in browsers. Looking on needs nothing but a ticket; typing needs the keyboard,
// which one browser has at a time and which holds the run: Pawl does nothing to the session until it
// is given back.
import { createSerial } from "../../adapters/shared/serial.ts";
import type { FromBrowser, ScreenView, ToBrowser } from "../../api/terminal.ts";
import { projectName, runAggregate, runId, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import type { Factory } from "../host/factory.ts";
import { runNamed } from "../views/find-runs.ts";
import { actorOf, type Device } from "./devices.ts";
import { Keyboards } from "./keyboards.ts";
import { HarmlessOutput } from "./harmless-output.ts";
import { mayUse } from "./rights.ts";
import { sizeOf, TerminalOutput, type Screen } from "./terminal-output.ts";

/** Of a session that is over, its last words. */
const LOG_BYTES = 64_000;
/** As many as one command of tmux takes, at up to three bytes each. */
const KEYS_AT_ONCE = 1000;

export type TerminalPlace = Pick<Factory, "store" | "ports" | "paths" | "feed" | "app">;

type Socket = { json(message: ToBrowser): void; bytes(bytes: Uint8Array): void; fail(): void };
type Named = { project: string; ref: string };
type Asked = Named & { device: Device; begun?: Begun };

/** What a browser has been shown with its ticket: this pane, and what its log had up to there. */
export type Begun = { pane: string | undefined; at: number };

export type TerminalConnection = { said(message: FromBrowser): void; closed(): void };

export class Terminals {
  readonly #place: TerminalPlace;
  readonly #keyboards: Keyboards;

  constructor(place: TerminalPlace) {
    this.#place = place;
    this.#keyboards = new Keyboards(place);
  }

  /** Before any browser connects: what browsers of the last daemon held is released. */
  begin(): Promise<void> {
    return this.#keyboards.giveAllLeft();
  }

  /** What a terminal shows now, harmless; undefined where there is no such run. */
  async look(named: Named): Promise<{ screen: ScreenView; begun: Begun } | undefined> {
    const run = await this.#runOf(named);
    if (run === undefined) return undefined;
    // Before the screen is read: what it gains meanwhile is drawn twice, not missed.
    const at = await sizeOf(logOf(this.#place, run));
    const { size, text, live } = await screenOf(this.#place, run);
    const shown = Buffer.from(new HarmlessOutput().pass(Buffer.from(text))).toString();
    return { screen: { ...size, live, text: shown }, begun: { pane: paneOf(run), at } };
  }

  /** Undefined where there is no such run. */
  async open(asked: Asked, socket: Socket): Promise<TerminalConnection | undefined> {
    const run = await this.#runOf(asked);
    if (run === undefined) return undefined;
    return new Connection({ place: this.#place, keyboards: this.#keyboards, run, asked, socket });
  }

  /** The page names runs by their id, which is found at once; a person may type another name. */
  async #runOf({ project, ref }: Named): Promise<Run | undefined> {
    const { store } = this.#place;
    const stored = await store.load(runAggregate(projectName(project), runId(ref)));
    if (stored?.state.kind === "run") return stored.state;
    return runNamed(store, projectName(project), ref);
  }
}

type Opened = {
  place: TerminalPlace;
  keyboards: Keyboards;
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

  constructor(opened: Opened) {
    const { run, place, socket, asked } = opened;
    this.#opened = opened;
    this.#id = runAggregate(run.project, run.id);
    this.#by = actorOf(asked.device);
    this.#output = new TerminalOutput({
      logFile: logOf(place, run),
      shownAt: asked.begun?.at,
      paint: async () => screenOf(place, await this.#run()),
      browser: {
        screen: ({ size, live }) => socket.json({ kind: "screen", ...size, live }),
        output: (bytes) => socket.bytes(bytes),
      },
      onError: () => socket.fail(),
    });
    this.#follow().catch(() => socket.fail());
  }

  said(message: FromBrowser): void {
    if (this.#gone.signal.aborted) return;
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
    return this.#opened.keyboards.ownerOf(this.#id) === this;
  }

  async #take(): Promise<void> {
    const { device } = this.#opened.asked;
    if (!mayUse(device.scope, "terminal")) {
      this.#refuse(
        `this browser is paired with the scope ${device.scope}: \`pawl page --scope terminal\``,
      );
      return;
    }
    const run = await this.#run();
    if (run.session?.status !== "live") {
      this.#refuse("its agent is not running");
      return;
    }
    // Asked last: nothing is waited for between this and the taking.
    const { keyboards } = this.#opened;
    if (this.#hasKeyboard || this.#gone.signal.aborted) return;
    if (keyboards.ownerOf(this.#id) !== undefined) {
      this.#refuse("another browser has the keyboard");
      return;
    }
    this.#refuse(await keyboards.take(run, { owner: this, by: this.#by }));
  }

  async #give(): Promise<void> {
    if (this.#hasKeyboard) this.#refuse(await this.#opened.keyboards.give(this.#id));
  }

  async #type(text: string): Promise<void> {
    const { held, session } = await this.#run();
    // Another person released it, or it was taken by the command line.
    if (this.#hasKeyboard && held?.by !== this.#by) await this.#opened.keyboards.lose(this.#id);
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

  #refuse(why: string | undefined): void {
    if (why !== undefined) this.#opened.socket.json({ kind: "refused", why });
  }

  /** Tells the browser who has the keyboard, whenever that changes. */
  async #follow(): Promise<void> {
    const { feed } = this.#opened.place;
    const { begun } = this.#opened.asked;
    let pane = begun?.pane;
    for (let isFirst = begun === undefined; ; isFirst = false) {
      const next = feed.next(this.#gone.signal);
      const run = await this.#run();
      const current = paneOf(run);
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
}

const paneOf = ({ session }: Run): string | undefined =>
  session?.status === "live" ? session.pane?.pane : undefined;

const logOf = ({ paths }: TerminalPlace, { project, id }: Run): string =>
  paths.paneLog(project, id);

async function screenOf(place: TerminalPlace, run: Run): Promise<Screen> {
  const pane = paneOf(run);
  if (pane !== undefined) {
    const painted = await place.ports.terminal.paint(pane);
    if (painted !== "unknown") return { ...painted, live: true };
  }
  const request = { logFile: logOf(place, run), maxBytes: LOG_BYTES, size: TERMINAL_SIZE };
  const text = await place.ports.sessionFiles.terminalLog(request);
  return { size: TERMINAL_SIZE, text: text.replaceAll("\n", "\r\n"), live: false };
}
