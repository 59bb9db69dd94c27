// The hook of an identity: what it is working on, how far it is, and how to
// resume. Derived from evidence, or set by the agent itself; never a reason to believe it is done.
export const WORK_PHASES = [
  "investigation",
  "planning",
  "implementation",
  "testing",
  "completion",
] as const;
export type WorkPhase = (typeof WORK_PHASES)[number];

export type TestsStatus = "unknown" | "passed" | "failed";

export type Hook = {
  workPhase: WorkPhase;
  summary: string;
  /** Newest last; bounded. */
  files: string[];
  tests: TestsStatus;
  checkpointAt: number | undefined;
  /** The agent's own words to its successor. */
  instructions: string | undefined;
  status: "active" | "handed_off" | "merged" | "blocked" | "closed";
  updatedAt: number;
};

const FILES_MAX = 100;

export const newHook = (summary: string, at: number): Hook => ({
  workPhase: "investigation",
  summary,
  files: [],
  tests: "unknown",
  checkpointAt: undefined,
  instructions: undefined,
  status: "active",
  updatedAt: at,
});

export function withFiles(hook: Hook, files: readonly string[]): Hook {
  if (files.every((file) => hook.files.includes(file))) return hook;
  const known = hook.files.filter((file) => !files.includes(file));
  return { ...hook, files: [...known, ...new Set(files)].slice(-FILES_MAX) };
}

const EDITS = /^(?:multi_?edit|edit|write|notebookedit|apply_patch|str_replace|create_file)/i;
const PLANS = /^(?:todo_?write|exitplanmode|update_plan|plan)/i;
const COMMANDS = /^(?:bash|shell|exec|exec_command|local_shell|run)/i;
/** A command that runs tests, wherever in the line it is called. */
const TESTS =
  /(?:^|[\s;&|/])(?:npm (?:run )?test|npx (?:vitest|jest)|vitest|jest|pytest|tox|go test|cargo (?:test|nextest)|make (?:test|check)|ctest|mvn test|gradle test|rspec|phpunit|bun test|deno test|sh test\.sh)\b/;

/**
 * The phase a tool call shows; undefined where it shows nothing. Reading is investigation only
 * before anything else was done: everybody reads all the time.
 */
export function phaseOfTool(tool: string, summary: string): WorkPhase | undefined {
  if (EDITS.test(tool)) return "implementation";
  if (PLANS.test(tool)) return "planning";
  return COMMANDS.test(tool) && TESTS.test(summary) ? "testing" : undefined;
}

/** A plan in the middle of the work is part of it; only a beginner is led to planning by it. */
export const advances = (from: WorkPhase, to: WorkPhase): boolean =>
  from !== to && (to !== "planning" || from === "investigation");
