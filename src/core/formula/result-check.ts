// What the result of an agent's step must be. Pure: what is wrong goes back to the agent as it is
// said here. A role that needs more adds a check under a name of its own.
import { readResult, type StandingRole } from "../roles/result.ts";

export type ResultCheck = (text: string) => string | undefined;

export const RESULT_CHECKS: Readonly<Record<string, ResultCheck>> = {
  /** Any text that says something. */
  text: (text) => (text.trim() === "" ? "the result file is empty" : undefined),
  json: (text) => {
    try {
      JSON.parse(text);
      return undefined;
    } catch (error) {
      // The agent gets the parser's own message.
      return `the result file is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
  },
  gardener: roleCheck("gardener"),
  supervisor: roleCheck("supervisor"),
  planner: roleCheck("planner"),
  predictor: roleCheck("predictor"),
};

function roleCheck(role: StandingRole): ResultCheck {
  return (text) => {
    const read = readResult(role, text);
    return read.kind === "problem" ? read.problem : undefined;
  };
}

/** Less than what is kept of a step's output: what was accepted is never cut. */
const RESULT_MAX = 60_000;

/** What is wrong with a result, in a sentence; undefined where it can be used. */
export function resultProblem(check: string, text: string): string | undefined {
  if (text.length > RESULT_MAX) {
    return `the result has ${text.length} characters, and at most ${RESULT_MAX} are allowed`;
  }
  const found = RESULT_CHECKS[check];
  return found === undefined ? `Pawl has no check "${check}"` : found(text);
}
