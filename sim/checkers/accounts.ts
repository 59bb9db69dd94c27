// Several agents in one project: no run is given an account that is known to be limited, a run whose
// account is limited for long gets another agent where one is free, no agent resumes the conversation
// of another, and one that waits for its model is not called stuck.
import type { AgentConfig } from "../../src/core/config.ts";
import type { Event } from "../../src/core/event.ts";
import { projectOf, type AggregateId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
import { hasOutcome, isAttached } from "../seen.ts";
import { WAIT_MS } from "../several-agents.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const MINUTE_MS = 60_000;
const LOOK_MS = 5 * MINUTE_MS;
/** It is given the other agent in the transaction that knows of the limit; a full disk may delay that. */
const SWITCH_MS = 30 * MINUTE_MS;
/** After so many agents a run waits for its own. */
const AGENTS_MAX = 6;
const TROUBLE = ["daemon-killed", "daemon-started"];
/** A host says so every five minutes. */
const SAID_MS = 10 * MINUTE_MS;

/** Who continues where the chosen agent cannot. */
const FALLBACK = ["second", "third"];

const keyOf = (of: AggregateId, account: string): string => `${projectOf(of)} ${account}`;

const nameOf = ({ account, runtime }: AgentConfig): string => account ?? runtime;

const NAME = "accounts";

export const accounts = (world: World): Checker => new Accounts(world);

class Accounts implements Checker {
  readonly name = NAME;
  readonly #world: World;
  /** When limits end, as the journal tells. */
  readonly #limits = new Map<string, number>();
  /** Whose the lives of runs were. */
  readonly #lives = new Map<string, string>();
  readonly #waiting = new Map<AggregateId, { run: Run; since: number }>();
  readonly #judged = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    if (world.options.agents === true) world.clock.after(LOOK_MS, () => this.#look());
  }

  hear(fact: Fact): void {
    const { options, clock } = this.#world;
    if (options.agents !== true) return;
    // Nothing moves without a daemon.
    if (TROUBLE.includes(fact.kind))
      for (const entry of this.#waiting.values()) entry.since = clock.monotonicMs();
    if (fact.kind !== "journaled") return;
    const { events, states } = fact.journaled;
    // In the order in which they were applied.
    for (const { to, event } of events) {
      this.#began(to, event);
      this.#limited(to, event);
    }
    for (const { id, state } of states)
      if (state.kind === "run") this.#lived(id, state, fact.journaled);
  }

  #isLimited(of: AggregateId, account: string, at: number): boolean {
    return (this.#limits.get(keyOf(of, account)) ?? 0) > at;
  }

  #limited(to: AggregateId, event: Event): void {
    if (event.kind === "account-limited") {
      const key = keyOf(to, event.account ?? "command");
      this.#limits.set(key, Math.max(this.#limits.get(key) ?? 0, event.until));
    }
    if (event.kind === "account-freed") this.#limits.delete(keyOf(to, event.account ?? "command"));
  }

  #began(to: AggregateId, event: Event): void {
    if (event.kind === "run-requested" || event.kind === "task-given") {
      const account = nameOf(event.config.agent);
      if (this.#isLimited(to, account, event.at))
        this.#world.fail(NAME, `${to} begins with ${account}, which is limited`);
    }
    if (event.kind === "agent-given" && this.#isLimited(to, event.account, event.at)) {
      this.#world.fail(NAME, `${to} is given ${event.account}, which is limited`);
    }
  }

  #lived(id: AggregateId, run: Run, { effects }: Journaled): void {
    const { session } = run;
    if (session === undefined) return;
    const own = nameOf(run.config.agent);
    const before = this.#lives.get(`${id} ${session.epoch - 1}`);
    this.#lives.set(`${id} ${session.epoch}`, own);
    for (const { aggregate, effect } of effects) {
      if (aggregate !== id || effect.kind !== "spawn-session" || effect.epoch !== session.epoch)
        continue;
      if (effect.resumes !== undefined && before !== undefined && before !== own) {
        this.#world.fail(NAME, `${id}: ${own} resumes a conversation of ${before}`);
      }
    }
    if (session.verdict === "stuck") this.#checkStuck(id, run);
    this.#follow(id, run);
  }

  /** A life is called stuck in the transaction in which its verdict is first seen. */
  #checkStuck(id: AggregateId, { project, id: runName, session }: Run): void {
    const life = `${project}/${runName}/${session?.epoch ?? 0}`;
    if (this.#judged.has(life)) return;
    this.#judged.add(life);
    const now = this.#world.clock.monotonicMs();
    for (const { alive, saidWaitingAt } of this.#world.marked.get(life) ?? []) {
      if (alive && saidWaitingAt !== undefined && now - saidWaitingAt < SAID_MS)
        this.#world.fail(NAME, `${id} is called stuck while it waits for its model`);
    }
  }

  #follow(id: AggregateId, run: Run): void {
    const { clock } = this.#world;
    const { limit } = run.session?.evidence ?? {};
    const isGiven = run.next !== undefined || (run.agents?.length ?? 0) >= AGENTS_MAX;
    const isWorking = !hasOutcome(run) && run.stage.kind === "working";
    const isAble = isWorking && run.stopped === undefined && !isGiven;
    if (!isAble || limit === undefined || limit.until <= clock.now() + WAIT_MS) {
      this.#waiting.delete(id);
      return;
    }
    const since = this.#waiting.get(id)?.since ?? clock.monotonicMs();
    this.#waiting.set(id, { run, since });
  }

  #look(): void {
    const { clock } = this.#world;
    clock.after(LOOK_MS, () => this.#look());
    const at = clock.now();
    const now = clock.monotonicMs();
    for (const [id, entry] of this.#waiting) {
      const { run } = entry;
      const own = nameOf(run.config.agent);
      const others = [nameOf(run.choice?.first ?? run.config.agent), ...FALLBACK];
      const isFree = others.some((one) => one !== own && !this.#isLimited(id, one, at));
      const isOver = (run.session?.evidence.limit?.until ?? 0) <= at + WAIT_MS;
      if (!isFree || isOver || isAttached(this.#world, run)) entry.since = now;
      else if (now - entry.since > SWITCH_MS)
        this.#world.fail(NAME, `${id} waits for its account though another agent is free`);
    }
  }
}
