// Brings a message to an agent. It always lies in the inbox first. An agent that reports accepted
// prompts gets it typed as well, and it counts as delivered only when the agent's own hook has
// taken it. Nothing is typed over somebody's half-typed line, and into a dialog only its answer.
import { setTimeout as wait } from "node:timers/promises";
import { OperationError } from "../lib/operation-error.ts";
import type { Agent, Screen } from "../ports/agent.ts";
import type { SessionDir, SessionFiles } from "../ports/session-files.ts";
import type { ProcessId, Terminal } from "../ports/terminal.ts";
import { answerKey } from "./answer-key.ts";

/** How long the hook may take to report a prompt before the terminal is looked at again. */
const CONFIRM_MS = 5_000;
const LOOK_MS = 50;
/** How long a terminal that cannot be typed into is looked at before the outbox waits longer. */
const PATIENCE_MS = 30_000;
const BUSY_LOOK_MS = 500;
/** An empty prompt box must be seen twice: a screen may just be being drawn. */
const FREE_LOOKS = 2;
const ROUNDS_MAX = 4;
const SCREEN_LINES = 60;

export type Place = { pane: string; process: ProcessId };

export type Delivery = {
  agent: Agent;
  dir: SessionDir;
  id: string;
  text: string;
  /** Where the life that is meant lives; undefined once it is over. */
  place(): Promise<Place | undefined>;
};

export type World = {
  terminal: Terminal;
  sessionFiles: SessionFiles;
  now(): number;
  signal: AbortSignal;
};

/** `left`: it lies in the inbox. `taken`: the agent has it. `answered`: it was a dialog's answer. */
export async function deliver(
  delivery: Delivery,
  world: World,
): Promise<"left" | "taken" | "answered"> {
  const { agent, dir, id, text } = delivery;
  if (agent.confirms && (await answerDialog(delivery, world))) return "answered";
  await world.sessionFiles.deliver({ dir, id, text });
  if (!agent.confirms) return "left";
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // Asked anew each round: once the life is over, its successor is told in its prompt.
    const at = await delivery.place();
    if (at === undefined) return "left";
    if (await typed(delivery, at, world)) return "taken";
  }
  throw new OperationError(`cannot deliver message ${id}: typed, but never taken`, {
    code: "message-unconfirmed",
    retryable: true,
    hint: "look at the terminal with `pawl attach`; the message also lies in the agent's inbox",
  });
}

async function answerDialog(delivery: Delivery, world: World): Promise<boolean> {
  const at = await delivery.place();
  if (at === undefined) return false;
  const screen = await look(delivery.agent, at, world);
  const key = screen.kind === "dialog" ? answerKey(delivery.text, screen.choices) : undefined;
  if (key === undefined) return false;
  return (await world.terminal.type({ ...at, text: key, as: "key" })) === "typed";
}

/** True: taken, or nobody is there any more. */
async function typed(delivery: Delivery, at: Place, world: World): Promise<boolean> {
  const taken = () => isTaken(delivery, world);
  if (await taken()) return true;
  if ((await awaitFree(delivery, at, world)) === "taken") return true;
  const text = delivery.agent.clean?.(delivery.text) ?? delivery.text;
  if ((await world.terminal.type({ ...at, text, as: "paste" })) === "gone") return true;
  const end = world.now() + CONFIRM_MS;
  while (world.now() < end) {
    if (await taken()) return true;
    await wait(LOOK_MS, undefined, { signal: world.signal });
  }
  return taken();
}

/** The hook moves a message to cur/ with the prompt it came in. */
async function isTaken({ dir, id }: Delivery, { sessionFiles }: World): Promise<boolean> {
  return (await sessionFiles.read(dir)).acknowledged.includes(id);
}

async function awaitFree(delivery: Delivery, at: Place, world: World): Promise<"free" | "taken"> {
  const end = world.now() + PATIENCE_MS;
  let free = 0;
  let screen: Screen = { kind: "unknown" };
  while (world.now() < end) {
    screen = await look(delivery.agent, at, world);
    free = screen.kind === "free" ? free + 1 : 0;
    if (free >= FREE_LOOKS) return "free";
    if (await isTaken(delivery, world)) return "taken";
    await wait(free > 0 ? LOOK_MS : BUSY_LOOK_MS, undefined, { signal: world.signal });
  }
  throw new OperationError(`cannot type message ${delivery.id}: ${shown(screen)}`, {
    code: "terminal-occupied",
    retryable: true,
    hint: "answer or clear it with `pawl attach`; the message also lies in the agent's inbox",
  });
}

async function look(agent: Agent, { pane }: Place, { terminal }: World): Promise<Screen> {
  const captured = await terminal.capture({ pane, lines: SCREEN_LINES });
  if (captured === "unknown") return { kind: "unknown" };
  return agent.readScreen?.(captured.text) ?? { kind: "free" };
}

function shown(screen: Screen): string {
  switch (screen.kind) {
    case "dialog":
      return `the terminal shows a question (${screen.choices.join(" / ")})`;
    case "half-typed":
      return "somebody is typing a line in the terminal";
    default:
      return "the terminal shows no prompt";
  }
}
