// The runtimes there are: one line each. Nothing of a runtime but its data is loaded here.
import type { Runtime } from "../ports/runtime.ts";
import { acp } from "./agent-acp/runtime.ts";
import { claudeAcp } from "./agent-claude-acp/runtime.ts";
import { claude } from "./agent-claude/runtime.ts";
import { codex } from "./agent-codex/runtime.ts";
import { command } from "./agent-command/runtime.ts";
import { copilot } from "./agent-copilot/runtime.ts";
import { gemini } from "./agent-gemini/runtime.ts";
import { opencode } from "./agent-opencode/runtime.ts";
import { script } from "./agent-script/runtime.ts";

export const RUNTIMES: readonly Runtime[] = [
  command,
  script,
  claude,
  codex,
  opencode,
  gemini,
  copilot,
  claudeAcp,
  acp,
];

export const runtimeNamed = (name: string): Runtime | undefined =>
  RUNTIMES.find((runtime) => runtime.name === name);

/**
 * Undefined where walls may stand around it, or nothing is known of it. `write`: folders that its user lets
 * it change; a program whose folders Pawl does not know may find all that it needs there.
 */
export function lostInWalls(name: string, write: readonly string[] = []): string | undefined {
  const runtime = runtimeNamed(name);
  if (runtime?.worksInWalls !== false || write.length > 0) return undefined;
  return `${runtime.title} does not find its login and its conversations inside the walls unless [isolation] write names the folders that hold them`;
}
