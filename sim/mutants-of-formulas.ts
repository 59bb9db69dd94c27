// Planted bugs in formulas, their commands and gates (see mutant-list.ts).
import type { Mutant } from "./mutant-list.ts";

export const FORMULA_MUTANTS: Mutant[] = [
  {
    name: "action: begun again while it is under way",
    proves: "liveness: every action ends on its issue",
    file: "src/core/action/step-action.ts",
    from: `  if (before !== undefined && before.stage.kind !== "ended") return before;`,
    to: `  if (before !== undefined && before.stage.kind === "settling") return before;`,
  },
  {
    name: "action: a report is accepted and not posted",
    proves: "liveness: what came of an action is on its issue",
    file: "src/core/action/step-action.ts",
    from: `      return isMine ? settle(action, { kind: "done", report: outcome.text }, context) : action;`,
    to: `      return isMine ? end(action, { kind: "done", report: outcome.text }, context.at) : action;`,
  },
  {
    name: "formula: a gate closes without a word",
    proves: "closing a gate and waking who waits is one transaction",
    file: "src/core/gate/step-gate.ts",
    from: `    output.tells.push({ to: formula, event });`,
    to: `    if (gate.spec.kind !== "human") output.tells.push({ to: formula, event });`,
  },
  {
    name: "formula: begin when something needed has ended",
    proves: "nothing begins before everything that it needs has ended",
    file: "src/core/formula/advance.ts",
    from: `  if (!step.needs.every((need) => isSettled(stateOf(run, need)))) return run;`,
    to: `  if (step.needs.length > 0 && !step.needs.some((need) => isSettled(stateOf(run, need)))) return run;`,
  },
  {
    name: "formula: a new daemon starts commands again",
    proves: "a step runs to success at most once; commands port: never started twice",
    file: "src/daemon/effects/formula-effects.ts",
    from: `    folder: join(folder, \`\${step}.\${attempt}\`),`,
    to: `    folder: join(folder, \`\${step}.\${attempt}-\${context.now()}\`),`,
  },
  {
    name: "formula: retries without end",
    proves: "every retry has a budget: steps",
    file: "src/core/formula/attempt.ts",
    from: `  if (attempt <= step.retries) {`,
    to: `  if (attempt <= step.retries + 1) {`,
  },
  {
    name: "formula: a command is given up while its outcome is on its way",
    proves: "a step runs to success at most once",
    file: "src/core/formula/start-attempt.ts",
    from: `  run: 3 * 60 * 60_000,`,
    to: `  run: 1000,`,
  },
];
