// Who runs formulas in the simulated world: small ones of every kind of step, some of them again
// and again under one name; people close the gates that wait for them, and stop a run now and then.
import type { Formula, FormulaStep, StepAction } from "../src/core/formula/formula.ts";
import { asksPerson } from "../src/core/gate/gate.ts";
import { formulaAggregate, gateAggregate, type AggregateId } from "../src/core/ids.ts";
import type { Event } from "../src/core/event.ts";
import type { Engine } from "../src/daemon/engine/engine.ts";
import type { Prng } from "../src/lib/prng.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import type { SimProject, World } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROUND_MS = 10 * MINUTE_MS;
const ROUNDS_PER_HOUR = 6;
const FORMULAS_MAX = 40;
const STEPS_MAX = 6;

export function startFormulas(world: World, engine: () => Engine | undefined): void {
  // Roles ask questions too, and those are gates.
  const isNeeded = (world.options.formulas ?? 0) > 0 || world.options.roles === true;
  if (isNeeded) new Users(world, engine).begin();
}

class Users {
  readonly #world: World;
  readonly #engine: () => Engine | undefined;
  #begun = 0;

  constructor(world: World, engine: () => Engine | undefined) {
    this.#world = world;
    this.#engine = engine;
  }

  begin(): void {
    const waitMs = 1 + this.#world.prng.formulas.int(2 * ROUND_MS);
    this.#world.clock.after(waitMs, () => {
      this.#round()
        .catch((error: unknown) => {
          // The journal may be full, or the daemon gone: tried again later.
          if (error instanceof OperationError) return;
          this.#world.fail("simulator", `users of formulas broke: ${String(error)}`);
        })
        .finally(() => this.begin());
    });
  }

  async #round(): Promise<void> {
    const { faults, prng, options, projects, store } = this.#world;
    const often = (options.formulas ?? 0) / ROUNDS_PER_HOUR;
    for (const project of projects.values()) {
      const wanted = faults.on && prng.formulas.chance(often);
      if (wanted && this.#begun < FORMULAS_MAX) await this.#start(project);
    }
    for (const { id, state } of await store.aggregates()) {
      if (state.kind === "gate" && asksPerson(state)) await this.#answer(id);
      const stops = state.kind === "formula" && state.outcome === undefined && faults.on;
      if (often > 0 && stops && prng.formulas.chance(0.02)) {
        await this.#submit(id, { kind: "formula-stopped", at: this.#now(), by: "ann" });
      }
    }
  }

  async #answer(id: AggregateId): Promise<void> {
    const { faults, prng } = this.#world;
    if (faults.on && !prng.formulas.chance(0.3)) return;
    if (faults.on && prng.formulas.chance(0.2)) {
      await this.#submit(id, { kind: "gate-put-off", at: this.#now(), by: "ann" });
      return;
    }
    const met = !prng.formulas.chance(0.2);
    const event = { kind: "gate-closed", at: this.#now(), by: "ann", met, reason: "so" } as const;
    await this.#submit(id, event);
  }

  async #start(project: SimProject): Promise<void> {
    this.#begun += 1;
    const { formulas } = this.#world.prng;
    const repeats = formulas.chance(0.3);
    const id = repeats ? "round" : `sim.${this.#begun}`;
    const formula = makeFormula(formulas);
    await this.#submit(formulaAggregate(project.name, id), {
      kind: "formula-requested",
      at: this.#now(),
      project: project.name,
      id,
      key: `wish ${this.#begun}`,
      formula,
      vars: {},
      source: "sim",
      by: "ann",
      renews: repeats,
    });
    if (!formulas.chance(0.2)) return;
    await this.#submit(gateAggregate(project.name, `g${this.#begun}`), {
      kind: "gate-requested",
      at: this.#now(),
      project: project.name,
      id: `g${this.#begun}`,
      key: `gate ${this.#begun}`,
      spec: formulas.chance(0.5)
        ? { kind: "timer", durationMs: formulas.int(HOUR_MS) }
        : { kind: "mail", about: "a letter that never comes" },
      title: "a while",
      by: "ann",
      waiters: [{ kind: "identity", identity: "dev-1" }],
      escalateMs: 10 * MINUTE_MS,
    });
  }

  async #submit(to: AggregateId, event: Event): Promise<void> {
    const engine = this.#engine();
    if (engine === undefined) return;
    this.#world.tell({ kind: "person-did", what: `a user: ${event.kind} to ${to}` });
    await Promise.race([engine.loop.submit({ to, event }), this.#world.clock.sleep(MINUTE_MS)]);
  }

  #now(): number {
    return this.#world.clock.now();
  }
}

function makeFormula(prng: Prng): Formula {
  const count = 1 + prng.int(STEPS_MAX);
  return {
    name: "sim",
    description: "",
    version: 1,
    model: undefined,
    contextFiles: [],
    vars: [],
    steps: Array.from({ length: count }, (_, index) => makeStep(prng, index)),
  };
}

/** Needs only earlier ones. */
function makeStep(prng: Prng, index: number): FormulaStep {
  const needs = Array.from({ length: index }, (_, other) => `s${other}`).filter(() =>
    prng.chance(0.4),
  );
  const action = makeAction(prng);
  const [first] = needs;
  const minds = first !== undefined && prng.chance(0.2);
  return {
    id: `s${index}`,
    title: `Step ${index}`,
    description: "Do it.",
    needs,
    action,
    when: minds
      ? { text: "x", means: { kind: "is", of: { kind: "step", step: first, field: "status" } } }
      : undefined,
    timeoutMs: timeoutOf(action, index),
    retries: prng.int(3),
  };
}

/** Some commands have little time: they end while no daemon can record how. */
function timeoutOf({ kind }: StepAction, index: number): number {
  if (kind === "agent" || kind === "gate") return 8 * HOUR_MS;
  return index % 2 === 0 ? 15 * MINUTE_MS : MINUTE_MS;
}

function makeAction(prng: Prng): StepAction {
  const gate = (spec: Extract<StepAction, { kind: "gate" }>["gate"]): StepAction => ({
    kind: "gate",
    gate: spec,
    escalateMs: HOUR_MS,
  });
  const kinds: (() => StepAction)[] = [
    () => ({ kind: "run", command: { kind: "shell", text: "true" } }),
    () => ({ kind: "run", command: { kind: "shell", text: "true" } }),
    () => ({ kind: "run", command: { kind: "argv", argv: ["true"] } }),
    () => ({ kind: "builtin", name: "say", with: { text: "hello" } }),
    () => gate({ kind: "timer", durationMs: 1 + prng.int(HOUR_MS) }),
    () => gate({ kind: "human", question: "now?" }),
    () => gate({ kind: "issue", issue: String(1 + prng.int(5)) }),
    () => gate({ kind: "command", command: "true", everyMs: MINUTE_MS, timeoutMs: MINUTE_MS }),
    () => ({ kind: "agent", role: "action", output: "result", result: "text", model: undefined }),
  ];
  return prng.pick(kinds)();
}
