// Agents of the simulated world that confirm what they are told: a message is typed into their prompt
// box, Enter sends it, and a hook acknowledges the prompt, and shows all other mail with it. Terminals
// lose pastes and Enters, people leave lines in the box, and hooks are late, silent, or report twice.
import type { Agent } from "../src/ports/agent.ts";
import type { TypeRequest } from "../src/ports/terminal.ts";
import {
  folderChanged,
  moveMessage,
  type Process,
  type SessionFolder,
  type World,
} from "./world.ts";

const SECOND_MS = 1000;
const QUICK_MS = 2 * SECOND_MS;
const LATE_MS = 120 * SECOND_MS;
/** A person who began a line comes back to it. */
const CLEARED_MS = 300 * SECOND_MS;

/** What the daemon knows of them. */
export const confirmingAgent = (): Pick<Agent, "confirms" | "readScreen" | "showsPaste"> => ({
  confirms: true,
  readScreen: (text) => (text === "" ? { kind: "free" } : { kind: "half-typed", line: text }),
  showsPaste: ({ line, text }) => line === text,
});

/** Now and then a person begins a line in the terminal, and clears or sends it later. */
export function leaveLine(world: World, process: Process): void {
  if (!world.faults.strikes("halfTyped") || process.box !== "") return;
  process.box = "a line of a person";
  const isSent = world.prng.hooks.chance(0.5);
  world.clock.after(world.faults.lengthMs(CLEARED_MS), () => {
    process.box = "";
    if (isSent) bringMail(world, process);
  });
}

/** Now and then a person has just sent a prompt when a message comes. */
export function sendPrompt(world: World, { pid }: SessionFolder): void {
  const process = pid === undefined ? undefined : world.processes.get(pid);
  if (process === undefined || !world.faults.strikes("halfTyped")) return;
  bringMail(world, process);
}

export function typeInto(
  world: World,
  process: Process,
  { text, as, mark }: Pick<TypeRequest, "text" | "as" | "mark">,
): void {
  if (as === "paste") {
    process.pasted = mark;
    if (!world.faults.strikes("pasteLost")) process.box += text;
  } else if (as === "enter" && process.box !== "" && !world.faults.strikes("enterLost")) {
    const sent = process.box;
    process.box = "";
    accept(world, process, sent);
  }
}

function accept(world: World, process: Process, text: string): void {
  const { folder, prompts } = process;
  const id = /^Id: (m\d+)$/m.exec(text)?.[1];
  if (id === undefined) return;
  world.tell({ kind: "message-shown", dir: folder.path, id, how: "typed" });
  prompts.push({ id, text });
  folder.onMail?.();
  leaveLine(world, process);
  const { faults, clock, prng } = world;
  if (process.isDeaf || faults.strikes("ackLost")) return;
  const waitMs = 1 + prng.hooks.int(faults.strikes("ackLate") ? LATE_MS : QUICK_MS);
  clock.after(waitMs, () => acknowledge(world, process, id));
}

/** A hook runs in the session: one that is over acknowledges nothing. */
function acknowledge(world: World, process: Process, id: string): void {
  const { folder } = process;
  if (!process.alive) return;
  const { inboxNew, inboxTyped, inboxCur } = folder;
  const own = moveMessage(id, inboxTyped, inboxCur) ?? moveMessage(id, inboxNew, inboxCur);
  if (own !== undefined) taken(world, folder, id);
  bringMail(world, process);
  if (world.faults.strikes("ackTwice")) {
    const said = JSON.stringify({ v: 1, kind: "prompt", at: world.clock.now(), id });
    folder.spool.set(`prompt-${world.stamp()}`, said);
  }
  folderChanged(folder, false);
}

/** The hook of a prompt takes the mail that it finds one by one: Pawl may begin to type meanwhile. */
function bringMail(world: World, process: Process): void {
  // An agent without hooks reads its inbox itself.
  if (world.options.confirms !== true) return;
  for (const id of process.folder.inboxNew.keys()) {
    world.clock.after(1 + world.prng.hooks.int(QUICK_MS), () => showMail(world, process, id));
  }
}

/** What is not being typed joins the prompt. */
function showMail(world: World, { alive, folder, prompts }: Process, id: string): void {
  const text = alive ? moveMessage(id, folder.inboxNew, folder.inboxCur) : undefined;
  if (text === undefined) return;
  taken(world, folder, id);
  world.tell({ kind: "message-shown", dir: folder.path, id, how: "mail" });
  prompts.push({ id, text });
  folder.onMail?.();
  folderChanged(folder, false);
}

const taken = (world: World, { path }: SessionFolder, id: string): void =>
  world.tell({ kind: "message-taken", dir: path, id, at: world.clock.monotonicMs() });
