// How a CI result reads, in a word and in a line.
import type { CheckView, GateView } from "../../api/checks.ts";
import { spanText } from "../../api/spans.ts";
import type { Deps } from "../deps.ts";
import { paint } from "./text.ts";

const WORDS = {
  none: ["dim", "not run"],
  running: ["yellow", "running"],
  passed: ["green", "passed"],
  failed: ["red", "failed"],
  infra: ["red", "could not run"],
} as const;

export function ciText(deps: Pick<Deps, "colour">, state: CheckView["state"]): string {
  const [style, word] = WORDS[state];
  return paint(deps, style, word);
}

/** With the mark of a check that passed only at its second try. */
export const stateText = (deps: Pick<Deps, "colour">, check: CheckView): string =>
  `${ciText(deps, check.state)}${check.flaky ? ` ${paint(deps, "yellow", "(flaky)")}` : ""}`;

/** `passed in 3 s`, `failed: exit code 1 after 2 s`. */
export function gateText(gate: GateView): string {
  const span = spanText(gate.duration_ms);
  if (gate.passed) return `passed in ${span}${testsText(gate)}`;
  return `failed: ${cause(gate)} after ${span}${testsText(gate)}`;
}

/** `, 40 tests (2 skipped)`, `, 3 of 40 tests failed`. */
function testsText({ tests }: GateView): string {
  if (tests === null) return "";
  if (tests.failed > 0) return `, ${tests.failed} of ${tests.total} tests failed`;
  return `, ${tests.total} tests${tests.skipped === 0 ? "" : ` (${tests.skipped} skipped)`}`;
}

function cause(gate: GateView): string {
  if (gate.timed_out) return "timeout";
  const why = gate.reason === null ? "" : ` (${gate.reason})`;
  if (gate.signal !== null) return `ended by ${gate.signal}${why}`;
  return gate.exit_code === null ? (gate.reason ?? "unknown") : `exit code ${gate.exit_code}${why}`;
}
