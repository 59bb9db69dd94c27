// The verbs of transcripts, one family per file; this one finds the family.
import { parseDuration } from "../../../src/lib/duration.ts";
import { agent } from "./verbs-agent.ts";
import { effect } from "./verbs-effect.ts";
import { people } from "./verbs-people.ts";
import { project } from "./verbs-project.ts";
import { parseCommand, type Command } from "./transcript.ts";
import { advance, submit, type World } from "./world.ts";

type Verb = (world: World, command: Command) => void;

const VERBS: Record<string, Verb> = {
  ...project,
  ...agent,
  ...effect,
  ...people,
  /** `working 42 review=required`: told elsewhere, an agent works on the issue in its first life. */
  working: (world, { words, options }) => {
    const settings = Object.entries(options).map(([key, value]) => `${key}=${value}`);
    for (const line of [
      `project ${settings.join(" ")}`,
      `issues ${words[1] ?? "42"}`,
      "done claim-issue+prepare-workspace+spawn-session",
    ]) {
      const command = parseCommand(line);
      if (command !== undefined) perform(world, command);
    }
    world.lines = world.lines.slice(-1);
  },
  /** `wait 6h`: the clock moves, and what is due on the way happens. */
  wait: (world, command) => advance(world, duration(command)),
  /** `jump 8h`: the laptop slept; everyone is told by how long. */
  jump: (world, command) => {
    const gapMs = duration(command);
    world.now += gapMs;
    for (const id of world.states.keys()) {
      submit(world, id, { kind: "clock-jumped", at: world.now, gapMs });
    }
  },
};

function duration({ words, line }: Command): number {
  const durationMs = parseDuration(words.slice(1).join(" "));
  if (durationMs === undefined) throw new Error(`no duration in: ${line}`);
  return durationMs;
}

export function perform(world: World, command: Command): void {
  const verb = VERBS[command.words[0] ?? ""];
  if (verb === undefined) throw new Error(`no such verb: ${command.line}`);
  verb(world, command);
}
