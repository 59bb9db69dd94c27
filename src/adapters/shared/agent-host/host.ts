// Hosts an agent that speaks a protocol instead of having a terminal: takes messages out of the
// session's inbox, sends each as a prompt, and says through the spool what the agent's hooks would
// say. It runs in the pane, so that it outlives every daemon, and its life is the session's: where
// the agent ends, so does the host, and Pawl starts the next life.
//
//   opening ──> idle <──> in a turn ──> left
//
// A message is in new/ until the program has accepted it. One that comes during a turn joins it
// where the program can do that, and otherwise waits; an urgent one interrupts the turn.
import { oneAtATime } from "../../../lib/one-at-a-time.ts";
import { Asked } from "./asked.ts";
import { Deliveries, type Item } from "./deliveries.ts";
import type { DriverEvent, TurnEnd } from "./driver.ts";
import { listInbox, take, takenFile, watchInbox, type Letter } from "./inbox.ts";
import { openSession, type SessionOptions } from "./open-session.ts";
import { report, reportEnd } from "./reports.ts";
import { SilenceClock } from "./silence-clock.ts";

export type HostOptions = SessionOptions & { silenceMs: number };

/** What is under way: of the host, or (`items` undefined) of a person at the program's own screen. */
type Turn = { items: Item[] | undefined };

/** `repeated`: messages that are known to the agent once it has accepted this. */
type Prompt = {
  text: string;
  from: string;
  items: Item[];
  letters: Letter[];
  repeated?: readonly string[];
};

export class Host {
  readonly #options: HostOptions;
  readonly #silence: SilenceClock;
  readonly #left = Promise.withResolvers<number>();
  #deliveries: Deliveries | undefined;
  #turn: Turn | undefined;
  readonly #asked: Asked;
  #typed: string[] = [];
  #interrupting = false;
  #isOpen = false;
  /** Only the turn under way is left. */
  #hasLanded = false;
  /** Reports are written one after the other: when the last one is, all are. */
  #reported: Promise<void> = Promise.resolve();
  readonly #looked = oneAtATime(() => this.#lookOnce());

  constructor(options: HostOptions) {
    this.#options = options;
    const { driver, spool, silenceMs } = options;
    const onAnswered = (id: string): void => this.#silence.hear({ kind: "answered", id });
    this.#asked = new Asked({ driver, spool, onAnswered });
    this.#silence = new SilenceClock({
      silenceMs,
      onSilence: (silent) => this.#guard(spool({ kind: "waiting", silent })),
    });
  }

  /** Resolves to the exit code of the host. */
  async run(): Promise<number> {
    const { dir, driver, spool, transcript } = this.#options;
    this.#deliveries = await Deliveries.open(dir);
    const opening = await openSession(this.#options, this.#deliveries);
    if (typeof opening === "number") {
      await this.#deliveries.close();
      return opening;
    }
    await spool({ kind: "started" });
    this.#isOpen = true;
    const inbox = watchInbox(dir, () => this.#look());
    const whenExited = driver.exited.then(({ code, reason }) => {
      transcript.note(`the agent has ended (${reason})`);
      this.leave(code ?? 1);
    });
    this.#guard(whenExited);
    this.#begin({ ...opening, from: "Pawl", letters: [] });
    const code = await this.#left.promise;
    inbox.close();
    this.#silence.close();
    await driver.close();
    await this.#looked();
    await this.#reported;
    await this.#deliveries.close();
    return code;
  }

  /** A line that a person has typed at the pane. */
  typed(line: string): void {
    const text = line.trim();
    if (text === "") return;
    const answered = this.#asked.answerBy(`Id: typed\nKind: answer\n\n${text}`);
    if (answered === undefined) this.#typed.push(text);
    else this.#guard(answered);
    this.#look();
  }

  /** Ctrl-C at the pane. */
  interrupt(): void {
    const { transcript, driver } = this.#options;
    if (this.#turn === undefined) {
      transcript.note("nothing to interrupt; detach with Ctrl-B d, or end it with `pawl stop`");
      return;
    }
    transcript.note("interrupting the turn");
    this.#guard(driver.interrupt());
  }

  leave(code: number): void {
    this.#isOpen = false;
    this.#left.resolve(code);
  }

  onEvent(event: DriverEvent): void {
    const { transcript, spool } = this.#options;
    this.#silence.hear(event);
    transcript.event(event);
    this.#asked.hear(event);
    if (event.kind === "turn-began" && this.#turn === undefined) this.#enter({ items: undefined });
    if (event.kind === "turn-ended" && this.#turn?.items === undefined) {
      this.#guard(reportEnd(event.end, spool).then(() => this.#exit()));
    }
    this.#reported = report(event, spool);
    if (event.kind === "question") this.#look();
  }

  #look(): void {
    if (this.#isOpen) this.#guard(this.#looked());
  }

  async #lookOnce(): Promise<void> {
    if (!this.#isOpen || this.#hasLanded) return;
    const { dir } = this.#options;
    const sent = new Set(this.#turn?.items?.map(({ id }) => id));
    const letters = (await listInbox(dir)).filter(({ id }) => !sent.has(id));
    for (const letter of letters) {
      if (letter.kind === "landed") return this.#goHome(letter);
      const answered = this.#asked.answerBy(letter.text);
      if (answered === undefined) continue;
      await answered;
      await this.#taken([letter]);
      this.#look();
      return;
    }
    if (this.#turn !== undefined) return this.#join(letters);
    const [typed] = this.#typed.splice(0, 1);
    if (typed !== undefined) {
      this.#begin({ text: typed, from: "you", items: [], letters: [] });
      return;
    }
    const [letter] = letters;
    if (letter === undefined || this.#asked.isOpen) return;
    const item = { id: letter.id, file: takenFile(dir, letter.id) };
    this.#begin({ text: letter.text, from: "Pawl", items: [item], letters: [letter] });
  }

  /** A turn is under way. */
  async #join(letters: Letter[]): Promise<void> {
    const { driver, transcript, dir } = this.#options;
    const [letter] = letters;
    if (letter === undefined) return;
    if (driver.steer !== undefined && !this.#asked.isOpen) {
      const item = { id: letter.id, file: takenFile(dir, letter.id) };
      await this.#deliveries?.note("sending", [item]);
      if (!(await driver.steer(letter.text))) return;
      transcript.prompt("Pawl, during the turn", letter.text);
      this.#turn?.items?.push(item);
      await this.#accepted([item], [letter], []);
      this.#look();
      return;
    }
    if (this.#interrupting || !letter.urgent) return;
    this.#interrupting = true;
    transcript.note("an urgent message: the turn is interrupted");
    await driver.interrupt();
  }

  /**
   * The work has landed: nothing is left to say to the agent. What a turn has used is known at its
   * end, so the turn under way may end; the daemon ends one that takes too long (limits.farewell).
   */
  async #goHome(letter: Letter): Promise<void> {
    await this.#taken([letter]);
    this.#options.transcript.note("landed");
    this.#hasLanded = true;
    if (this.#turn === undefined || this.#asked.isOpen) this.leave(0);
  }

  #begin(prompt: Prompt): void {
    this.#enter({ items: prompt.items });
    this.#guard(this.#run(prompt).then(() => this.#exit()));
  }

  /** What is not waited for must not fail unseen: without its host the agent would work for none. */
  #guard(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#options.transcript.note(`the host failed: ${String(error)}`);
      this.leave(1);
    });
  }

  async #run({ text, from, items, letters, repeated = [] }: Prompt): Promise<void> {
    const { driver, transcript, spool } = this.#options;
    transcript.prompt(from, text);
    if (items.length > 0) await this.#deliveries?.note("sending", items);
    let accepting: Promise<void> | undefined;
    const accept = (): void => {
      accepting ??= this.#accepted(items, letters, repeated);
    };
    const end: TurnEnd = await driver.prompt(text, accept);
    const isTaken = end.kind !== "gone" && end.kind !== "refused";
    if (isTaken) accept();
    await accepting;
    // What was under way when the program ended is uncertain: the next life looks for it.
    if (end.kind === "gone") return;
    if (isTaken) await this.#deliveries?.note("ended", this.#turn?.items ?? items);
    await reportEnd(end, spool);
    transcript.turnEnded(end);
    if (end.kind !== "refused" || items.length === 0) return;
    // Even if the program has seemed to accept it: the life after a person's answer says it.
    await this.#deliveries?.note("sending", items);
    this.leave(0);
  }

  /** A life's own prompt repeats messages that were not read yet: now they are. */
  async #accepted(items: Item[], letters: Letter[], repeated: readonly string[]): Promise<void> {
    const { spool } = this.#options;
    if (items.length > 0) await this.#deliveries?.note("accepted", items);
    await this.#taken(letters);
    if (letters.length === 0) await spool({ kind: "prompt" });
    for (const id of repeated) await spool({ kind: "prompt", id });
  }

  async #taken(letters: Letter[]): Promise<void> {
    for (const letter of letters) {
      await take(this.#options.dir, letter);
      await this.#options.spool({ kind: "prompt", id: letter.id });
    }
  }

  #enter(turn: Turn): void {
    this.#turn = turn;
    this.#interrupting = false;
    this.#silence.turnBegan();
  }

  #exit(): void {
    this.#turn = undefined;
    this.#silence.turnEnded();
    if (this.#hasLanded) this.leave(0);
    else this.#look();
  }
}
