// Hosts an agent that speaks a protocol instead of having a terminal: takes messages out of the
// session's inbox, sends each as a prompt, and says through the spool what the agent's hooks would
// say. It runs in the pane, so that it outlives every daemon, and its life is the session's: where
// the agent ends, so does the host, and Pawl starts the next life.
//
//   opening ──> idle <──> in a turn ──> left
//
// A message is in new/ until the program has accepted it. One that comes during a turn joins it
// where the program can do that, and otherwise waits; an urgent one interrupts the turn.
import { join } from "node:path";
import { answerKey } from "../../../core/session/answer-key.ts";
import { errorCode } from "../../../lib/error-code.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import { Deliveries, type Item, type Uncertain } from "./deliveries.ts";
import {
  NeedsPerson,
  ProgramEnded,
  type Driver,
  type DriverEvent,
  type TurnEnd,
} from "./driver.ts";
import { listInbox, take, takenFile, watchInbox, type Letter } from "./inbox.ts";
import { composeOpening, messagesIn } from "./opening.ts";
import { SilenceClock } from "./silence-clock.ts";
import type { SpoolWriter } from "./spool-writer.ts";
import { report, reportEnd, reportUnusable } from "./reports.ts";
import type { Transcript } from "./transcript.ts";
import { withText } from "./uncertain-text.ts";

/** By which a later life finds the conversation of this one. */
export const CONVERSATION = "conversation";
/** This life's prompt without the messages that the conversation held already. */
const OPENING = "opening.md";

/** The conversation could not be resumed: the next life begins another one, and says so. */
export const EXIT_NOT_RESUMED = 3;
const PROMPT_MAX_BYTES = 16 * 1024 * 1024;
/** As shells say it. */
const EXIT_NO_PROGRAM = 127;

export type HostOptions = {
  dir: string;
  driver: Driver;
  /** The conversation of an earlier life, and what that life may not have said. */
  resume: { conversation: string; uncertain: Uncertain[]; ended?: string[] } | undefined;
  spool: SpoolWriter;
  transcript: Transcript;
  now: () => number;
  silenceMs: number;
};

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
  #question: { id: string; choices: string[] } | undefined;
  #typed: string[] = [];
  #interrupting = false;
  #isOpen = false;
  /** Only the turn under way is left. */
  #hasLanded = false;
  /** Reports are written one after the other: when the last one is, all are. */
  #reported: Promise<void> = Promise.resolve();
  /** One look at the inbox at a time; what comes meanwhile asks for another. */
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  constructor(options: HostOptions) {
    this.#options = options;
    const { spool, silenceMs, now } = options;
    this.#silence = new SilenceClock({
      silenceMs,
      now,
      onSilence: (silent) => this.#guard(spool({ kind: "waiting", silent })),
    });
  }

  /** Resolves to the exit code of the host. */
  async run(): Promise<number> {
    const { dir, driver, spool, transcript } = this.#options;
    this.#deliveries = await Deliveries.open(dir);
    const opening = await this.#open();
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
    this.#begin(opening);
    const code = await this.#left.promise;
    inbox.close();
    this.#silence.close();
    await driver.close();
    await this.#looking;
    await this.#reported;
    await this.#deliveries.close();
    return code;
  }

  /** A line that a person has typed at the pane. */
  typed(line: string): void {
    const text = line.trim();
    if (text === "") return;
    const choice = this.#choiceFor(`Id: typed\nKind: answer\n\n${text}`);
    if (choice !== undefined) this.#guard(this.#answer(choice));
    else this.#typed.push(text);
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
    if (event.kind === "question") this.#question = event;
    if (event.kind === "answered" && this.#question?.id === event.id) this.#question = undefined;
    if (event.kind === "turn-began" && this.#turn === undefined) this.#enter({ items: undefined });
    if (event.kind === "turn-ended" && this.#turn?.items === undefined) {
      this.#guard(reportEnd(event.end, spool).then(() => this.#exit()));
    }
    this.#reported = report(event, spool);
    if (event.kind === "question") this.#look();
  }

  async #open(): Promise<Prompt | number> {
    const { dir, driver, resume } = this.#options;
    const uncertain = resume?.uncertain ?? [];
    let opened;
    try {
      opened = await driver.open({ resume: resume?.conversation, history: uncertain.length > 0 });
    } catch (error) {
      return this.#notOpened(error);
    }
    await writeWhole(join(dir, CONVERSATION), `${JSON.stringify({ id: opened.conversation })}\n`);
    const prompt = (await readUntrusted(join(dir, "prompt.md"), PROMPT_MAX_BYTES)) ?? "";
    const file = join(dir, OPENING);
    const { text, own, items, found } = composeOpening({
      prompt: { text: prompt, file },
      ended: resume?.ended ?? [],
      uncertain: await Promise.all(uncertain.map(withText)),
      said: opened.said,
    });
    // What a successor says in place of this life must not repeat what was left out here.
    await writeWhole(file, own);
    // The daemon may not know it yet: a life after this one must not say it again.
    if (found.length > 0) await this.#deliveries?.note("ended", found);
    // Also those that were left out: the daemon takes them for unread, and would have them said again.
    const repeated = [...new Set([...messagesIn(prompt), ...messagesIn(text)])];
    return { text, from: "Pawl", items, letters: [], repeated };
  }

  async #notOpened(error: unknown): Promise<number> {
    const { dir, driver, resume, spool, transcript } = this.#options;
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof NeedsPerson) return this.#unusable(why);
    const isMissing = errorCode(error) === "ENOENT";
    const isLost = resume !== undefined && !isMissing && !(error instanceof ProgramEnded);
    const what = isLost
      ? `its conversation cannot be resumed (${why}): the next life begins a new one`
      : `the agent cannot be started: ${why}`;
    transcript.note(what);
    await spool({ kind: "warning", text: what });
    if (isLost) await writeWhole(join(dir, CONVERSATION), "{}\n");
    await driver.close();
    if (isMissing) return EXIT_NO_PROGRAM;
    return isLost ? EXIT_NOT_RESUMED : 1;
  }

  /** No crash: starting it again would not help before a person has acted. */
  async #unusable(why: string): Promise<number> {
    const { driver, spool, transcript } = this.#options;
    transcript.note(`the agent cannot work: ${why}`);
    await reportUnusable(why, spool);
    await driver.close();
    return 0;
  }

  #look(): void {
    if (!this.#isOpen) return;
    this.#lookAgain = true;
    if (this.#looking !== undefined) return;
    this.#looking = this.#lookRounds().finally(() => {
      this.#looking = undefined;
    });
    this.#guard(this.#looking);
  }

  async #lookRounds(): Promise<void> {
    while (this.#lookAgain) {
      this.#lookAgain = false;
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    if (this.#hasLanded) return;
    const { dir } = this.#options;
    const sent = new Set(this.#turn?.items?.map(({ id }) => id));
    const letters = (await listInbox(dir)).filter(({ id }) => !sent.has(id)).toSorted(urgentFirst);
    for (const letter of letters) {
      if (letter.kind === "landed") return this.#goHome(letter);
      const choice = this.#choiceFor(letter.text);
      if (choice === undefined) continue;
      await this.#answer(choice);
      await this.#taken([letter]);
      this.#lookAgain = true;
      return;
    }
    if (this.#turn !== undefined) return this.#join(letters);
    const [typed] = this.#typed.splice(0, 1);
    if (typed !== undefined) {
      this.#begin({ text: typed, from: "you", items: [], letters: [] });
      return;
    }
    const [letter] = letters;
    if (letter === undefined || this.#question !== undefined) return;
    const item = { id: letter.id, file: takenFile(dir, letter.id) };
    this.#begin({ text: letter.text, from: "Pawl", items: [item], letters: [letter] });
  }

  /** A turn is under way. */
  async #join(letters: Letter[]): Promise<void> {
    const { driver, transcript, dir } = this.#options;
    const [letter] = letters;
    if (letter === undefined) return;
    if (driver.steer !== undefined && this.#question === undefined) {
      const item = { id: letter.id, file: takenFile(dir, letter.id) };
      await this.#deliveries?.note("sending", [item]);
      if (!(await driver.steer(letter.text))) return;
      transcript.prompt("Pawl, during the turn", letter.text);
      this.#turn?.items?.push(item);
      await this.#accepted([item], [letter]);
      this.#lookAgain = true;
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
    if (this.#turn === undefined || this.#question !== undefined) this.leave(0);
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
      accepting ??= this.#accepted(items, letters).then(() => this.#told(repeated));
    };
    const end: TurnEnd = await driver.prompt(text, accept);
    const isTaken = end.kind !== "gone" && end.kind !== "refused";
    if (isTaken) accept();
    await accepting;
    // What was under way when the program ended is uncertain: the next life looks for it.
    if (end.kind === "gone") return;
    if (isTaken) await this.#deliveries?.note("ended", this.#turn?.items ?? items);
    await reportEnd(end, spool);
    if (end.kind !== "ended") transcript.note(endText(end));
    if (end.kind === "refused" && items.length > 0) await this.#notTaken(items);
  }

  /** Even if the program has seemed to accept it: the life after a person's answer says it. */
  async #notTaken(items: Item[]): Promise<void> {
    await this.#deliveries?.note("sending", items);
    this.leave(0);
  }

  async #accepted(items: Item[], letters: Letter[]): Promise<void> {
    if (items.length > 0) await this.#deliveries?.note("accepted", items);
    await this.#taken(letters);
    if (letters.length === 0) await this.#options.spool({ kind: "prompt" });
  }

  /** A life's own prompt repeats messages that were not read yet: now they are. */
  async #told(repeated: readonly string[]): Promise<void> {
    for (const id of repeated) await this.#options.spool({ kind: "prompt", id });
  }

  async #taken(letters: Letter[]): Promise<void> {
    for (const letter of letters) {
      await take(this.#options.dir, letter);
      await this.#options.spool({ kind: "prompt", id: letter.id });
    }
  }

  #choiceFor(message: string): number | undefined {
    if (this.#question === undefined) return undefined;
    const key = answerKey(message, this.#question.choices);
    return key === undefined ? undefined : Number(key) - 1;
  }

  async #answer(choice: number): Promise<void> {
    const { driver, spool } = this.#options;
    const question = this.#question;
    if (question === undefined) return;
    this.#question = undefined;
    this.#silence.hear({ kind: "answered", id: question.id });
    await driver.answer(question.id, choice);
    await spool({ kind: "answered", id: question.id });
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

/** In the order they were sent otherwise. */
const urgentFirst = (one: Letter, other: Letter): number =>
  Number(other.urgent) - Number(one.urgent);

function endText(end: TurnEnd): string {
  switch (end.kind) {
    case "limited":
      return `waiting: ${end.reason}`;
    case "failed":
      return `the turn failed: ${end.reason}`;
    case "refused":
      return `the agent did not take the prompt: ${end.reason}`;
    default:
      return `the turn was ${end.kind}`;
  }
}
