// Invariant (e): a message is acknowledged or visibly undelivered, and is shown at most once per
// epoch; typed again only while no hook has acknowledged it. An acknowledgement that an agent gave
// reaches the journal; an open message never vanishes, and one that waits for long is shown as such.
import type { Message } from "../../src/core/run/message.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
import { isUnread } from "../seen.ts";
import { shownNow } from "../shown.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const NOTICED_MS = 5 * 60_000;
const LOOK_MS = 30 * 60_000;
/** Far longer than a message may wait before it is called unread. */
const LONG_MS = 2 * 3_600_000;

export const messages = (world: World): Checker => new Messages(world);

class Messages implements Checker {
  readonly name = "messages";
  readonly #world: World;
  readonly #shown = new Set<string>();
  /** With another message's prompt: Pawl does not type these any more. */
  readonly #mailed = new Set<string>();
  readonly #taken = new Map<string, number>();
  readonly #known = new Map<string, Message[]>();
  /** Runs that wait for a person's words. */
  readonly #asked = new Map<string, number>();
  /** By run and message: since when it waits to be read. */
  readonly #waiting = new Map<string, number>();
  #troubleAt = 0;

  constructor(world: World) {
    this.#world = world;
    this.#lookLater();
  }

  hear(fact: Fact): void {
    if (fact.kind === "message-shown") this.#show(fact);
    else if (fact.kind === "message-taken") this.#taken.set(`${fact.dir} ${fact.id}`, fact.at);
    else if (fact.kind === "daemon-started" || fact.kind === "effect-refused") {
      this.#troubleAt = this.#world.clock.monotonicMs();
    } else if (fact.kind === "journaled") {
      this.#answered(fact.journaled);
      for (const { state } of fact.journaled.states)
        if (state.kind === "run") this.#journaled(state);
    }
  }

  /** What a person answers reaches the agent, unless it only has something tried again. */
  #answered({ events, states }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "escalation-answered" || !this.#asked.has(to)) continue;
      // It was for an earlier question.
      if (event.since !== undefined && event.since !== this.#asked.get(to)) continue;
      const run = states.findLast(({ id }) => id === to)?.state;
      if (run?.kind !== "run" || run.messages.some(({ text }) => text.includes(event.text)))
        continue;
      this.#fail(`the answer "${event.text}" never reached ${run.project}/${run.id}`);
    }
    for (const { id, state } of states) {
      if (state.kind !== "run") continue;
      const { stage } = state;
      const asked = stage.kind === "escalated" && stage.escalation.again === undefined;
      if (asked) this.#asked.set(id, stage.escalation.since);
      else this.#asked.delete(id);
    }
  }

  #show({ dir, id, how }: Extract<Fact, { kind: "message-shown" }>): void {
    const mark = `${dir} ${id}`;
    const isAgain = this.#shown.has(mark);
    const takenAt = this.#taken.get(mark);
    // The acknowledgement may come while it is typed once more.
    const isUnknown =
      takenAt === undefined || this.#world.clock.monotonicMs() - takenAt < NOTICED_MS;
    const isExcused = how === "typed" && isUnknown && !this.#mailed.has(mark);
    if (isAgain && !isExcused) this.#fail(`${id} is shown twice in ${dir} (${how})`);
    if (how === "mail") this.#mailed.add(mark);
    this.#shown.add(mark);
  }

  #journaled(run: Run): void {
    this.#wait(run);
    const id = `${run.project}/${run.id}`;
    const before = this.#known.get(id) ?? [];
    if (before !== run.messages) {
      const now = new Set(run.messages.map((message) => message.id));
      for (const { id: lost, kind, status } of before.filter(isUnread)) {
        if (!now.has(lost))
          this.#fail(`${lost} (${kind}) of ${id} vanished while it was ${status}`);
      }
      for (const message of run.messages) this.#proven(run, message);
      this.#known.set(id, run.messages);
    }
    this.#noticed(run);
  }

  #lookLater(): void {
    this.#world.clock.after(LOOK_MS, () => {
      this.#look()
        .catch((error: unknown) =>
          this.#world.fail("simulator", `messages broke: ${String(error)}`),
        )
        .finally(() => this.#lookLater());
    });
  }

  /** What an agent has not read for long is shown to people as unread. */
  async #look(): Promise<void> {
    const since = this.#world.clock.monotonicMs() - LONG_MS;
    const late = [...this.#waiting].filter(([, at]) => at < since).map(([mark]) => mark);
    if (late.length === 0) return;
    const { runs } = await shownNow(this.#world, undefined);
    const shown = new Set(
      runs.flatMap(({ project, run, messages: all }) =>
        all.filter(({ overdue }) => overdue).map(({ id }) => `${project}/${run} ${id}`),
      ),
    );
    for (const mark of late) {
      if (!this.#waiting.has(mark) || shown.has(mark)) continue;
      this.#fail(`${mark} has not been read for hours, and no person can see that`);
    }
  }

  #wait(run: Run): void {
    if (run.messages.length === 0) return;
    const isLive = run.session?.status === "live" && run.outcome === undefined;
    for (const { id, status } of run.messages) {
      const mark = `${run.project}/${run.id} ${id}`;
      const waits = isLive && (status === "queued" || status === "delivered");
      if (!waits) this.#waiting.delete(mark);
      else if (!this.#waiting.has(mark)) this.#waiting.set(mark, this.#world.clock.monotonicMs());
    }
  }

  /** Acknowledged means: the agent moved it, or it was part of a prompt. */
  #proven(run: Run, { id, status, epoch }: Message): void {
    if (status !== "acknowledged") return;
    const mark = epoch === undefined ? "" : `${this.#dir(run, epoch)} ${id}`;
    if (this.#taken.has(mark) || this.#shown.has(mark)) return;
    this.#fail(`${id} of ${run.project}/${run.id} counts as read, but was never shown`);
  }

  /** What a living agent acknowledged is in the journal soon. */
  #noticed(run: Run): void {
    if (run.session?.status !== "live" || run.messages.length === 0) return;
    const dir = this.#dir(run, run.session.epoch);
    const now = this.#world.clock.monotonicMs();
    for (const { id, status } of run.messages) {
      if (status === "acknowledged") continue;
      const at = this.#taken.get(`${dir} ${id}`);
      if (at === undefined) continue;
      if (now - Math.max(at, this.#troubleAt) < NOTICED_MS) continue;
      this.#fail(`${id} of ${run.project}/${run.id} was acknowledged, but is still ${status}`);
    }
  }

  #dir(run: Run, epoch: number): string {
    return this.#world.paths.session(run.project, run.id, epoch);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}
