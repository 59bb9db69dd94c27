// What Pawl knows of the versions of Claude Code. Found by running the delivery tests
// (test/claude/delivery.test.ts) against each version named here with `PAWL_CLAUDE_VERSION`.
import { OperationError } from "../../lib/operation-error.ts";
import { isOlder } from "../shared/is-older.ts";
import { TESTED } from "./runtime.ts";
import { run } from "../shared/run.ts";

/** The oldest version that passes the delivery tests. */
export const OLDEST_TESTED = "2.1.113";
/** The newest one. */
export const NEWEST_TESTED = TESTED;
const TIMEOUT_MS = 5_000;

/** From here on, a prompt that is sent during a turn is reported by the hook like any other. */
export const QUEUED_PROMPTS_REPORTED_SINCE = "2.1.260";

/** Only a version that tells its number and is too old is complained about. */
export async function problems(request: {
  command: string[];
  env: Record<string, string>;
}): Promise<string[]> {
  try {
    const version = await versionOf(request);
    if (version === undefined || !isOlder(version, OLDEST_TESTED)) return [];
    return [
      `Claude Code ${version} is older than ${OLDEST_TESTED}, the oldest version that Pawl is tested with: messages to the agent may be lost (update it with \`claude update\` or \`npm install -g @anthropic-ai/claude-code@latest\`)`,
    ];
  } catch (error) {
    if (error instanceof OperationError) return [];
    throw error;
  }
}

/** Undefined where the program does not tell it. */
export async function versionOf(request: {
  command: string[];
  env: Record<string, string>;
}): Promise<string | undefined> {
  const [program = "claude", ...words] = request.command;
  const argv = [program, ...words, "--version"] as const;
  const limits = { cwd: "/", timeoutMs: TIMEOUT_MS, maxBytes: 10_000 };
  const { stdout } = await run({ argv, env: request.env, ...limits });
  return /^(\d+\.\d+\.\d+) \(Claude Code\)/.exec(stdout)?.[1];
}
