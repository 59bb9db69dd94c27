// Scripts say `Bash` when they mean a shell. Each program offers the model such a tool under a name
// and with fields of its own; a call is made in the words of the tool that was offered.
import type { ModelRequest } from "./conversation.ts";
import type { Reply, ToolCall } from "./script.ts";

type Fields = (command: string) => Record<string, unknown>;

/** A command that takes longer goes on in the background, and its turn may end: the most that is allowed. */
const YIELDS_AFTER_MS = 30_000;

const described: Fields = (command) => ({ command, description: "scripted" });

const SHELLS: Record<string, Fields> = {
  Bash: described,
  bash: described,
  run_shell_command: described,
  exec_command: (command) => ({ cmd: command, yield_time_ms: YIELDS_AFTER_MS }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

export function inOfferedWords(reply: Reply, { tools }: ModelRequest): Reply {
  const offered = (tools ?? []).map(({ name }) => name);
  const shell = Object.entries(SHELLS).find(([name]) => offered.includes(name));
  if (shell === undefined) return reply;
  const [name, fields] = shell;
  const translate = (call: ToolCall): ToolCall => {
    const { command } = call.input;
    const isShell = call.name === "Bash" && typeof command === "string";
    return isShell ? { name, input: fields(command) } : call;
  };
  return { ...reply, tools: reply.tools.map(translate) };
}
