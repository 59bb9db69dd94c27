// The agents that scripts can have started for a step, by name: the runtimes that bring a command.
import { RUNTIMES } from "../../adapters/runtimes.ts";

const COMMANDS = new Map(
  RUNTIMES.flatMap(({ name, monitored }) =>
    monitored === undefined ? [] : [[name, monitored.command] as const],
  ),
);

/** The first is the one that works unless another is named. */
export const MONITORED_AGENTS = [...COMMANDS.keys()];

/** The command for a shell; `prompt` is one quoted word. */
export const commandOf = (agent: string, prompt: string): string | undefined =>
  COMMANDS.get(agent)?.(prompt);
