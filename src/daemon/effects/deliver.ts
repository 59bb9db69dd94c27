// Brings a message to an agent. It always lies in the inbox first. An agent that reports accepted
// prompts gets it typed as well, and it counts as delivered only when the agent's own hook has
// taken it; nothing is typed into a dialog or over somebody's half-typed line.
import { setTimeout as wait } from "node:timers/promises";
import { OperationError } from "../../lib/operation-error.ts";
import type { Agent, Screen } from "../../ports/agent.ts";
import type { SessionDir } from "../../ports/session-files.ts";
import type { ProcessId } from "../../ports/terminal.ts";
import { currentRun, type EffectContext, type EffectOf } from "./executor.ts";

/** How long the hook may take to report a prompt before it is typed again. */
const CONFIRM_MS = 5_000;
const LOOK_MS = 50;
/** How long a terminal that cannot be typed into is looked at before the outbox waits longer. */
const PATIENCE_MS = 30_000;
const BUSY_LOOK_MS = 500;
/** An empty prompt box must be seen twice: a screen may just be being drawn. */
const FREE_LOOKS = 2;
const ROUNDS_MAX = 4;
const SCREEN_LINES = 60;

type Target = {
  agent: Agent;
  dir: SessionDir;
  id: string;
  text: string;
  pane: string;
  process: ProcessId;
};

export async function deliverMessage(
  effect: EffectOf<"deliver-message">,
  context: EffectContext,
): Promise<void> {
  const { ports, paths, project } = context;
  const dir = { path: paths.session(project, effect.run, effect.epoch) };
  await ports.sessionFiles.deliver({ dir, id: effect.id, text: effect.text });
  const run = await currentRun(context);
  const agent = ports.agent(run.config.agent.runtime);
  if (!agent.confirms) return;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // Asked anew each round: the life may be over, and then its successor is told in its prompt.
    const { session } = await currentRun(context);
    if (session?.epoch !== effect.epoch || session.status !== "live") return;
    const { process, pane } = session;
    if (process === undefined || pane === undefined) return;
    const target = { agent, dir, id: effect.id, text: effect.text, pane: pane.pane, process };
    if (await typed(target, context)) return;
  }
  throw new OperationError(`cannot deliver message ${effect.id}: typed, but never taken`, {
    code: "message-unconfirmed",
    retryable: true,
    hint: "look at the terminal with `pawl attach`; the message also lies in the agent's inbox",
  });
}

/** True: taken, or nobody is there any more. */
async function typed(target: Target, context: EffectContext): Promise<boolean> {
  const { agent, pane, process, text } = target;
  if (await isTaken(target, context)) return true;
  const screen = await awaitFree(target, context);
  if (screen === "taken") return true;
  const clean = agent.clean?.(text) ?? text;
  const answer = await context.ports.terminal.type({ pane, process, text: clean, as: "paste" });
  if (answer === "gone") return true;
  return until(() => isTaken(target, context), { withinMs: CONFIRM_MS, context });
}

/** The hook moves a message to cur/ with the prompt it came in. */
async function isTaken({ dir, id }: Target, { ports }: EffectContext): Promise<boolean> {
  return (await ports.sessionFiles.read(dir)).acknowledged.includes(id);
}

async function awaitFree(target: Target, context: EffectContext): Promise<"free" | "taken"> {
  const end = context.now() + PATIENCE_MS;
  let free = 0;
  let screen: Screen = { kind: "unknown" };
  while (context.now() < end) {
    screen = await look(target, context);
    free = screen.kind === "free" ? free + 1 : 0;
    if (free >= FREE_LOOKS) return "free";
    if (await isTaken(target, context)) return "taken";
    await wait(free > 0 ? LOOK_MS : BUSY_LOOK_MS, undefined, { signal: context.signal });
  }
  throw new OperationError(
    `cannot type message ${target.id}: the terminal shows ${shown(screen)}`,
    {
      code: "terminal-occupied",
      retryable: true,
      hint: "answer or clear it with `pawl attach`; the message also lies in the agent's inbox",
    },
  );
}

async function look({ agent, pane }: Target, { ports }: EffectContext): Promise<Screen> {
  const captured = await ports.terminal.capture({ pane, lines: SCREEN_LINES });
  if (captured === "unknown") return { kind: "unknown" };
  return agent.readScreen?.(captured.text) ?? { kind: "free" };
}

function shown(screen: Screen): string {
  switch (screen.kind) {
    case "dialog":
      return `a question (${screen.choices.join(" / ")})`;
    case "half-typed":
      return "a line that somebody is typing";
    default:
      return "no prompt";
  }
}

async function until(
  probe: () => Promise<boolean>,
  { withinMs, context }: { withinMs: number; context: EffectContext },
): Promise<boolean> {
  const end = context.now() + withinMs;
  for (;;) {
    if (await probe()) return true;
    if (context.now() >= end) return false;
    await wait(LOOK_MS, undefined, { signal: context.signal });
  }
}
