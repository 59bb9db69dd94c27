// The programs Pawl cannot do without, and their versions.
import { run } from "../../../adapters/shared/run.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import { toolEnvironment } from "../../host/environment.ts";
import type { Check, Trouble } from "../check.ts";

type Tool = { argv: [string, ...string[]]; least: [number, number]; why: string };

const TOOLS: Tool[] = [
  { argv: ["git", "--version"], least: [2, 39], why: "merging in memory" },
  { argv: ["tmux", "-V"], least: [3, 0], why: "agents run in it" },
];
const NODE_MIN = 24;
const TIMEOUT_MS = 3_000;

export const toolsCheck: Check = {
  id: "tools",
  title: "programs that Pawl needs, and their versions",
  run: async () => [
    ...(await Promise.all(TOOLS.map(look))).flat(),
    ...nodeTrouble(process.versions.node),
  ],
};

async function look({ argv, least, why }: Tool): Promise<Trouble[]> {
  const [program] = argv;
  const hint = `install ${program} ${least.join(".")} or newer (${why})`;
  try {
    const env = toolEnvironment();
    const { stdout } = await run({ argv, cwd: "/", env, timeoutMs: TIMEOUT_MS, maxBytes: 10_000 });
    if (isAtLeast(stdout, least)) return [];
    return [{ key: program, what: `${stdout.trim()} is too old`, hint }];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [{ key: program, what: `${program} does not run: ${error.message}`, hint }];
  }
}

/** The first two numbers in the text; a version that cannot be read is not complained about. */
export function isAtLeast(text: string, [major, minor]: [number, number]): boolean {
  const found = /(?<major>\d+)\.(?<minor>\d+)/.exec(text)?.groups;
  if (found === undefined) return true;
  const [have, little] = [Number(found["major"]), Number(found["minor"])];
  return have > major || (have === major && little >= minor);
}

function nodeTrouble(version: string): Trouble[] {
  if (Number.parseInt(version, 10) >= NODE_MIN) return [];
  return [{ key: "node", what: `Node ${version} is too old`, hint: `use Node ${NODE_MIN}` }];
}
