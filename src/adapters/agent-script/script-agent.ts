// The runtime `script`: a built-in agent without a model, which runs the shell blocks an issue
// carries. For mechanical work, for trying Pawl out, and for its own tests. See docs/script-agent.md.
import { fileURLToPath } from "node:url";
import type { Agent } from "../../ports/agent.ts";

const SCRIPT = fileURLToPath(new URL("./script-agent.sh", import.meta.url));

export function createScriptAgent(): Agent {
  return {
    confirms: false,
    launch: async () => ({ argv: ["sh", SCRIPT], env: {} }),
  };
}
