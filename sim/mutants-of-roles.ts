// Planted bugs in the standing roles (see mutant-list.ts).
import type { Mutant } from "./mutant-list.ts";

export const ROLE_MUTANTS: Mutant[] = [
  {
    name: "role: more issues than its role may make",
    proves: "at most 5 issues a round, promotions included",
    by: ["roles"],
    file: "src/core/roles/result.ts",
    from: `  atMost(made, rules.issuesMax, "new issues, promotions included");`,
    to: `  atMost(made, rules.changesMax, "new issues, promotions included");`,
  },
  {
    name: "role: what was cut off is said again from the beginning",
    proves: "each change is carried out once, however often it is tried",
    by: ["roles"],
    file: "src/daemon/builtins/role-apply.ts",
    from: `const onceKey = ({ project, run, step }: BuiltinContext): string =>
  \`formula:\${project}/\${run.id}#\${run.cycle}:\${step}\`;`,
    to: `const onceKey = ({ now, project, run, step }: BuiltinContext): string =>
  \`formula:\${project}/\${run.id}#\${run.cycle}:\${step}-\${now()}\`;`,
  },
  {
    name: "role: what was judged is put before an agent again",
    proves: "the same finding is judged once a week at most",
    by: ["roles"],
    file: "src/core/roles/round.ts",
    from: `    return asked === undefined || at - asked >= ASKED_AGAIN_MS;`,
    to: `    return asked === undefined || at - asked >= ASKED_AGAIN_MS / 100;`,
  },
  {
    name: "role: a session although nothing was found",
    proves: "an empty preflight starts no session",
    by: ["roles"],
    file: "src/daemon/builtins/role-preflight.ts",
    from: `    if (findings.length === 0) return { kind: "done", output: "" };`,
    to: ``,
  },
  {
    name: "role: predictions carry every label that an agent wants",
    proves: "predictions are the predictor's only output",
    by: ["roles"],
    file: "src/core/roles/operations.ts",
    from: `  role === "predictor" ? [LABELS.predictionUnreviewed] : labels;`,
    to: `  role === "predictor" && labels.length === 0 ? [LABELS.predictionUnreviewed] : labels;`,
  },
  {
    name: "review: what was reviewed waits to be reviewed again",
    proves: "a head is reviewed once",
    by: ["reviewed-once"],
    file: "src/core/review/step-reviews.ts",
    from: `  return change(reviews, review, { state: { kind: "reviewed" } });`,
    to: `  return change(reviews, review, { state: { kind: "waiting" } });`,
  },
];
