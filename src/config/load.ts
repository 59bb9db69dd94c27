// Which pawl.toml counts. The rules come from the target, never from a branch being tested;
// only a target that has none yet takes them from the user's own checkout. Reading
// the two texts is the caller's business.
import { OperationError } from "../lib/operation-error.ts";
import { parseConfig, type ParsedConfig } from "./parse.ts";
import { formatProblems } from "./problem.ts";

export const CONFIG_FILE = "pawl.toml";

export type ChosenConfig =
  | (Extract<ParsedConfig, { kind: "valid" }> & { from: "target" | "checkout"; text: string })
  | (Extract<ParsedConfig, { kind: "invalid" }> & { from: "target" | "checkout"; text: string })
  | { kind: "missing" };

/** A broken file at the target is not replaced by the checkout's: that would change the rules. */
export function chooseConfig(texts: {
  atTarget: string | undefined;
  inCheckout: string | undefined;
}): ChosenConfig {
  const from = texts.atTarget === undefined ? "checkout" : "target";
  const text = texts.atTarget ?? texts.inCheckout;
  if (text === undefined) return { kind: "missing" };
  return { ...parseConfig(text, CONFIG_FILE), from, text };
}

/** Thrown where nothing can be done without a configuration. */
export function configError(chosen: Exclude<ChosenConfig, { kind: "valid" }>): OperationError {
  if (chosen.kind === "missing") {
    return new OperationError(
      `there is no ${CONFIG_FILE} in this repository, neither on its target branch nor in the folder`,
      {
        code: "config-missing",
        hint: "write one with `pawl init`",
      },
    );
  }
  const where = chosen.from === "target" ? "on the target" : "in the checkout";
  return new OperationError(
    `cannot use ${CONFIG_FILE} ${where}:\n${formatProblems(chosen.problems)}`,
    { code: "config-invalid", hint: `fix ${CONFIG_FILE} and commit it` },
  );
}
