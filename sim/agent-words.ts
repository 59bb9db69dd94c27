// What agents of the simulated world say: their phase, and what they ask of a person, in their phase
// file or in their spool while they go on working. Every question has a text of its own, so that it
// is known again where a person looks.
import { projectOf } from "../src/core/ids.ts";
import type { ResultFile } from "../src/core/task.ts";
import type { Agent } from "./agents.ts";
import { folderChanged, type Process, type World } from "./world.ts";

const HOUR_MS = 3_600_000;

/** The agent, or what it left running in the background. */
const maySpeak = ({ alive, leftover }: Process): boolean => alive || leftover;

export function writePhase(
  { world, process }: Pick<Agent, "world" | "process">,
  text: string,
  result?: ResultFile,
): void {
  if (!maySpeak(process)) return;
  const { project, run, epoch, folder } = process;
  folder.phase = { stamp: world.stamp(), text, ...(result === undefined ? {} : { result }) };
  world.tell({ kind: "phase-written", project, run, epoch, text });
  folderChanged(folder, false);
}

const REPEAT_MS = 10_000;

/** Agents of a project whose work lands say once more that they are ready. */
export function startRepeaters(world: World): void {
  const { clock, faults, listeners, living } = world;
  if (faults.rate("agentRepeats") === 0) return;
  const repeat = (process: Process): void => {
    const text = process.folder.phase?.text;
    if (text !== "PHASE:awaiting_ci" && text !== "PHASE:awaiting_review") return;
    if (!faults.strikes("agentRepeats")) return;
    clock.after(faults.lengthMs(REPEAT_MS), () => writePhase({ world, process }, text));
  };
  listeners.push((fact) => {
    if (fact.kind !== "journaled") return;
    for (const { aggregate, effect } of fact.journaled.effects) {
      if (effect.kind !== "land") continue;
      for (const process of living) if (process.project === projectOf(aggregate)) repeat(process);
    }
  });
}

/** A later phase takes it back. */
export function askInPhase(agent: Agent): void {
  const { world, process } = agent;
  if (!maySpeak(process)) return;
  const text = `which colour? ${world.stamp()}`;
  world.tell({ kind: "question-asked", process, text, how: "phase" });
  writePhase(agent, `PHASE:needs_human\nReason: ${text}`);
}

/** Only an answer ends it. */
export function askForHelp({ world, process }: Agent): void {
  world.clock.after(world.faults.lengthMs(HOUR_MS), () => {
    if (process.alive && world.faults.on) helpNow(world, process);
  });
}

function helpNow(world: World, process: Process): void {
  const text = `which shape? ${world.stamp()}`;
  world.tell({ kind: "question-asked", process, text, how: "help" });
  const said = JSON.stringify({ v: 1, kind: "help", at: world.clock.now(), text });
  process.folder.spool.set(`help-${world.stamp()}`, said);
  folderChanged(process.folder, false);
}

/** It is told to end, and says what it still has to say. */
export function lastWord(world: World, process: Process): void {
  if (world.faults.strikes("agentLastWord")) helpNow(world, process);
}
