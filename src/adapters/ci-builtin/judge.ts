// From what a command did to what it means: green, or red with a reason. Fail closed.
import { constants } from "node:os";
import { formatDuration } from "../../lib/duration.ts";
import type { CiGate, CiGateResult, TestSummary } from "../../core/check.ts";
import type { CommandResult } from "./command-run.ts";

/** pytest's own code for a run that collected nothing. */
const PYTEST_NO_TESTS = 5;

export type Ran = CommandResult & { logFile: string; tests: TestSummary | undefined };

export function judgeCiGate(gate: CiGate, result: Ran): CiGateResult {
  const reason = redReason(gate, result) ?? reportReason(gate, result);
  const { exitCode, signal, timedOut, durationMs, logTail, logFile, tests } = result;
  return {
    gate: gate.name,
    passed: exitCode === 0 && reason === undefined,
    exitCode,
    signal,
    timedOut,
    durationMs,
    ...(reason === undefined ? {} : { reason }),
    ...(tests === undefined ? {} : { tests }),
    logFile,
    logTail,
  };
}

/** Why it is red, where the exit code alone does not say. */
export function redReason(
  limits: { command: string; timeoutMs: number },
  result: CommandResult,
): string | undefined {
  const { exitCode, signal, noTestExecuted } = result;
  if (result.timedOut) return `timed out after ${formatDuration(limits.timeoutMs)}`;
  if (signal !== null) return `ended by ${signal}`;
  if (exitCode === 127) return "command not found";
  if (exitCode === 126) return "command not executable";
  const isPytest = exitCode === PYTEST_NO_TESTS && /\bpy\.?test\b/.test(limits.command);
  if (noTestExecuted || isPytest) return "no test executed";
  return exitCode !== null && exitCode > 128 ? signalOf(exitCode) : undefined;
}

/** A gate that promises a report is believed only with one, and no further than it goes. */
function reportReason(gate: CiGate, { exitCode, tests }: Ran): string | undefined {
  if (gate.report === undefined || exitCode !== 0) return undefined;
  if (tests === undefined) return `no report at ${gate.report}`;
  if (tests.failed > 0) return `its report shows ${tests.failed} failed of ${tests.total} tests`;
  return tests.total - tests.skipped === 0 ? "no test executed" : undefined;
}

/** A shell reports a child ended by signal n as exit code 128 + n. */
function signalOf(exitCode: number): string | undefined {
  const entry = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return entry === undefined ? undefined : `ended by ${entry[0]}`;
}
