// The transcript of a simulation that a person can read: what happened outside, what Pawl recorded,
// what it did. Kept only where it will be read: at speed it is switched off.
import type { Fact, Journaled } from "./fact.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import type { World } from "./world.ts";

export class Story {
  readonly lines: string[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    world.listeners.push((fact) => {
      const text = describe(fact);
      if (text !== undefined) this.lines.push(`${clockText(world)}  ${text}`);
    });
  }

  add(text: string): void {
    this.lines.push(`${clockText(this.#world)}  ${text}`);
  }
}

function clockText(world: World): string {
  const totalMs = world.clock.monotonicMs();
  const part = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = totalMs / 1000;
  const ms = String(totalMs % 1000).padStart(3, "0");
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}.${ms}`;
}

function describe(fact: Fact): string | undefined {
  switch (fact.kind) {
    case "daemon-started":
      return `daemon ${fact.life} starts`;
    case "daemon-killed":
      return `daemon ${fact.life} is killed at ${fact.at}`;
    case "journaled":
      return journaledText(fact.journaled);
    case "effect-refused":
      return `  ! ${fact.about}: ${errorText(fact.error)}`;
    case "process-started":
      return `agent ${fact.identity} of ${fact.project} starts, epoch ${fact.epoch}`;
    case "process-ended":
      return `agent ${fact.process.identity} of ${fact.process.project} is gone, epoch ${fact.process.epoch}`;
    case "phase-written":
      return `agent of ${fact.project}/${fact.run}, epoch ${fact.epoch}, writes ${JSON.stringify(fact.text)}`;
    case "question-asked":
      return `agent ${fact.process.identity} of ${fact.process.project} asks ${fact.text} (${fact.how})`;
    case "message-shown":
      return `message ${fact.id} is shown in ${fact.dir} (${fact.how})`;
    case "message-taken":
      return `message ${fact.id} is moved to cur/ in ${fact.dir}`;
    case "tree-checked":
      return `CI of ${fact.project}: ${fact.tree} ${fact.passed ? "passes" : "fails"}`;
    case "check-reported":
      return `the CI server of ${fact.project}: ${fact.context} of ${fact.commit} is ${fact.state}`;
    case "target-moved":
      return `the target of ${fact.project} moves ${fact.from} -> ${fact.to} by ${fact.by}`;
    case "upstream-moved":
      return `${fact.branch} of ${fact.project} moves to ${fact.to ?? "nothing"} by ${fact.by}`;
    case "workspace-kept":
      return `the workspace of ${fact.identity} of ${fact.project} stays: it holds what cannot be saved`;
    case "workspace-removed":
      return `workspace ${fact.path} is removed`;
    case "workspace-lost":
      return `a person deletes the workspace of ${fact.identity} of ${fact.project}`;
    case "workspace-made":
      return `workspace ${fact.path} is made`;
    case "checkpoint-saved":
      return `checkpoint ${fact.commit} of ${fact.identity} of ${fact.project}`;
    case "forge-made":
      return `forge of ${fact.project} makes ${fact.what} ${fact.mark}`;
    case "issue-closed":
      return `#${fact.issue} of ${fact.project} is closed by ${fact.by}`;
    case "action-done":
      return `outside: ${fact.key} is carried out`;
    case "person-did":
      return fact.what;
    case "phase-of-simulation":
      return `=== ${fact.name}`;
    default:
      return undefined;
  }
}

function journaledText({ events, states, effects, settled }: Journaled): string | undefined {
  const kinds = events.map(({ to, event }) => `${event.kind} (${to})`);
  if (events.every(({ event }) => event.kind === "session-seen") && effects.length === 0)
    return undefined;
  const stages = states.flatMap(({ id, state }) =>
    state.kind === "run"
      ? [
          `${id} is ${state.stage.kind}, session ${state.session?.epoch ?? 0} ${state.session?.status ?? "none"}`,
        ]
      : [],
  );
  const parts = [
    `  ${kinds.join(", ")}`,
    ...stages,
    ...effects.map(({ effect, key }) => `=> ${effect.kind} [${key}]`),
    ...settled.map((key) => `settles [${key}]`),
  ];
  return parts.join("\n                  ");
}

const errorText = (error: unknown): string =>
  error instanceof OperationError ? error.message : String(error);
