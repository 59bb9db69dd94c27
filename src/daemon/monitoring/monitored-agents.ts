// The agents that scripts can have started for a step, by name. Those with a runtime bring their own
// command; Codex has none yet.
import { RUNTIMES } from "../../adapters/runtimes.ts";

const COMMANDS = new Map<string, (prompt: string) => string>([
  ...RUNTIMES.flatMap(({ name, monitored }) =>
    monitored === undefined ? [] : [[name, monitored.command] as const],
  ),
  ["codex", (prompt) => `codex exec --full-auto ${prompt}`],
]);

/** The first is the one that works unless another is named. */
export const MONITORED_AGENTS = [...COMMANDS.keys()];

/** The command for a shell; `prompt` is one quoted word. */
export const commandOf = (agent: string, prompt: string): string | undefined =>
  COMMANDS.get(agent)?.(prompt);
