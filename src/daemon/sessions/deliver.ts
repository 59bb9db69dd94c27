// Brings a message to an agent. It is always put into the inbox first. An agent that reports accepted
// prompts also gets it typed: pasted into an empty prompt box, then Enter once the box shows the
// paste, and again while it still does. It counts as delivered only when the agent's own hook has
// taken it. From the paste on, a hook takes it only with its own prompt, so that the agent does not
// also get it as mail with another one. Where typing is given up before Enter, it is mail again. Nothing
// is typed over a line that a person began, and into a dialog only its answer: a dialog that came after
// the one that the person was asked about gets no key.
import { oneLine } from "../../lib/one-line.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Agent, Screen } from "../../ports/agent.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SessionDir, SessionFiles } from "../../ports/session-files.ts";
import type { ProcessId, Terminal } from "../../ports/terminal.ts";
import { answerKey, showsChoices } from "../../core/session/answer-key.ts";
import type { Question } from "../../core/session/evidence.ts";

/** How long a paste may take to be shown and sent before the terminal is judged from the start. */
const SHOW_MS = 10_000;
/** How long the hook may take to report a prompt that has left the box. */
const CONFIRM_MS = 30_000;
/** Some versions ignore an Enter that comes right after a paste. */
const ENTER_AGAIN_MS = 1_000;
const LOOK_MS = 50;
/** How long a terminal that cannot be typed into is looked at before the outbox waits longer. */
const PATIENCE_MS = 30_000;
const BUSY_LOOK_MS = 500;
const TURN_LOOK_MS = 1_000;
/** An empty prompt box must be seen twice: the screen may be half drawn. */
const FREE_LOOKS = 2;
const ROUNDS_MAX = 4;
const SCREEN_LINES = 60;
const LINE_SHOWN_MAX = 80;

export type Place = { pane: string; process: ProcessId };

export type Delivery = {
  agent: Agent;
  dir: SessionDir;
  id: string;
  text: string;
  /** As the message has it: undefined also where this is no answer. */
  question?: Question | "none" | undefined;
  /** What the agent's hooks have last said that it asks, and was not answered. */
  asks(): Promise<Question | undefined>;
  /** Where the session that is meant runs; undefined once it has ended or is not to be told. */
  place(): Promise<Place | undefined>;
  /** False while a prompt would be accepted without being reported. */
  isReported(): Promise<boolean>;
};

export type World = {
  terminal: Terminal;
  sessionFiles: SessionFiles;
  clock: Pick<Clock, "now" | "after">;
  signal: AbortSignal;
};

/** `ours`: the prompt box holds this very message, pasted and not sent. */
type Seen = Screen | { kind: "ours" };

/** `left`: it is in the inbox. `taken`: the agent has it. `answered`: it was a dialog's answer. */
export async function deliver(
  delivery: Delivery,
  world: World,
): Promise<"left" | "taken" | "answered"> {
  const { agent, dir, id, text } = delivery;
  const isTyped = agent.confirms && agent.hosted !== true;
  if (isTyped && (await answerDialog(delivery, world))) return "answered";
  await world.sessionFiles.deliver({ dir, id, text });
  // Waiting for the prompt box, it would keep back the answer to the dialog that is open.
  if (!isTyped || (await isOvertaken(delivery))) return "left";
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    // Asked again each round: once the session has ended, its successor is told in its prompt.
    const at = await placeToType(delivery, world);
    if (at === "taken") return "taken";
    if (at === undefined) return "left";
    if (await typed(delivery, at, world)) return "taken";
    if (round === ROUNDS_MAX) await letGo(delivery, at, world);
  }
  throw new OperationError(`cannot deliver message ${id}: it was typed, but never accepted`, {
    code: "message-unconfirmed",
    retryable: true,
    hint: "look at the terminal with `pawl attach`: the agent may have it without having reported it",
  });
}

/** A turn may take hours: an agent at work is no reason to give up. */
async function placeToType(delivery: Delivery, world: World): Promise<Place | "taken" | undefined> {
  while (!(await delivery.isReported())) {
    if ((await delivery.place()) === undefined) return undefined;
    if (await isTaken(delivery, world)) return "taken";
    await pause(world, TURN_LOOK_MS);
  }
  return delivery.place();
}

async function answerDialog(delivery: Delivery, world: World): Promise<boolean> {
  const at = await delivery.place();
  if (at === undefined) return false;
  const captured = await world.terminal.capture({ pane: at.pane, lines: SCREEN_LINES });
  if (captured === "unknown") return false;
  const screen = delivery.agent.readScreen?.(captured.text);
  if (screen?.kind !== "dialog" || !(await isMeant(delivery, captured.text, screen))) return false;
  const key = answerKey(delivery.text, screen.choices);
  if (key === undefined) return false;
  return (await world.terminal.type({ ...at, text: key, as: "key" })) === "typed";
}

/** A screen has no ids: everything that is known of the question must fit. */
async function isMeant(
  delivery: Delivery,
  text: string,
  { choices }: { choices: string[] },
): Promise<boolean> {
  const { agent, question } = delivery;
  // An earlier version did not write down what an answer is for.
  if (question === undefined) return true;
  if (question === "none" || (await isOvertaken(delivery))) return false;
  return showsChoices(question, choices) && agent.showsQuestion?.({ text, question }) !== false;
}

/** The agent's hooks say that it asks something else by now. */
async function isOvertaken(delivery: Delivery): Promise<boolean> {
  const { question } = delivery;
  if (question === undefined || question === "none") return false;
  const open = await delivery.asks();
  return open !== undefined && open.id !== question.id;
}

/** True: taken, or the session is gone. */
async function typed(delivery: Delivery, at: Place, world: World): Promise<boolean> {
  if (await isTaken(delivery, world)) return true;
  const box = await awaitBox(delivery, at, world);
  if (box === "taken") return true;
  // Asked last thing: while the box was occupied, the message may have been taken back.
  if ((await delivery.place()) === undefined) return true;
  const { dir, id } = delivery;
  if ((await world.sessionFiles.hold({ dir, id })) === "taken") return true;
  const paste = { ...at, text: cleaned(delivery), as: "paste", mark: delivery.id } as const;
  if (box === "free" && (await world.terminal.type(paste)) === "gone") return true;
  return send(delivery, at, world);
}

/** Presses Enter whenever the box shows the paste, until the hook has taken the message. */
async function send(delivery: Delivery, at: Place, world: World): Promise<boolean> {
  const { terminal, sessionFiles } = world;
  const { dir, id } = delivery;
  let end = world.clock.now() + SHOW_MS;
  let pressedAt = -ENTER_AGAIN_MS;
  while (world.clock.now() < end) {
    if (await isTaken(delivery, world)) return true;
    const screen = await look(delivery, at, world);
    if (screen.kind === "ours" && world.clock.now() - pressedAt >= ENTER_AGAIN_MS) {
      // From here on the agent may have it and not say so: as mail it would have it twice.
      if ((await sessionFiles.hold({ dir, id, isSent: true })) === "taken") return true;
      if ((await terminal.type({ ...at, text: "", as: "enter" })) === "gone") return true;
      pressedAt = world.clock.now();
      // Sent: only the hook is waited for now, since a second paste would be a second prompt.
      end = pressedAt + CONFIRM_MS;
    }
    await pause(world, LOOK_MS);
  }
  return isTaken(delivery, world);
}

/** By the port's clock, so that the simulator can let it pass. */
function pause({ clock, signal }: World, durationMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.cancel();
      reject(new OperationError("the delivery was cancelled", { code: "aborted" }));
    };
    const timer = clock.after(durationMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** The hook moves a message to cur/ with the prompt it came in. */
async function isTaken({ dir, id }: Delivery, { sessionFiles }: World): Promise<boolean> {
  return (await sessionFiles.read(dir)).acknowledged.includes(id);
}

async function awaitBox(
  delivery: Delivery,
  at: Place,
  world: World,
): Promise<"free" | "ours" | "taken"> {
  const end = world.clock.now() + PATIENCE_MS;
  let free = 0;
  let screen: Seen = { kind: "unknown" };
  while (world.clock.now() < end) {
    screen = await look(delivery, at, world);
    if (screen.kind === "ours") return "ours";
    free = screen.kind === "free" ? free + 1 : 0;
    if (free >= FREE_LOOKS) return "free";
    if (await isTaken(delivery, world)) return "taken";
    await pause(world, free > 0 ? LOOK_MS : BUSY_LOOK_MS);
  }
  await letGo(delivery, at, world);
  throw new OperationError(`cannot type message ${delivery.id}: ${shown(screen)}`, {
    code: "terminal-occupied",
    retryable: true,
    hint: "answer or clear it with `pawl attach`; the message is also in the agent's inbox",
  });
}

/**
 * What is not being typed any more joins the agent's next prompt. What was pasted into the box and
 * still lies there stays held: the person who sends it would send it a second time.
 */
async function letGo({ agent, dir, id }: Delivery, at: Place, world: World): Promise<void> {
  const captured = await world.terminal.capture({ pane: at.pane, lines: SCREEN_LINES });
  if (captured === "unknown") return;
  const isInBox = captured.pasted === id && agent.readScreen?.(captured.text).kind === "half-typed";
  if (!isInBox) await world.sessionFiles.release({ dir, id });
}

async function look(delivery: Delivery, { pane }: Place, { terminal }: World): Promise<Seen> {
  const { agent, id } = delivery;
  const captured = await terminal.capture({ pane, lines: SCREEN_LINES });
  if (captured === "unknown") return { kind: "unknown" };
  const screen = agent.readScreen?.(captured.text) ?? { kind: "unknown" };
  if (screen.kind !== "half-typed" || captured.pasted !== id) return screen;
  const isOurs = agent.showsPaste?.({ line: screen.line, text: cleaned(delivery) }) === true;
  return isOurs ? { kind: "ours" } : screen;
}

const cleaned = ({ agent, text }: Delivery): string => agent.clean?.(text) ?? text;

function shown(screen: Seen): string {
  switch (screen.kind) {
    case "dialog":
      return `the terminal shows a question (${screen.choices.join(" / ")})`;
    case "half-typed":
      return `the prompt box holds text that was not sent ("${oneLine(screen.line).slice(0, LINE_SHOWN_MAX)}")`;
    default:
      return "the terminal shows no prompt box";
  }
}
