// Bugs around questions to people, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const QUESTION_MUTANTS: Mutant[] = [
  {
    name: "a fetch that was under way discards the agent's question",
    proves: "every question reaches a place where a person looks",
    by: ["questions"],
    file: "src/core/run/phase-reactions.ts",
    from: `  if (event.kind === "branch-fetched" || run.stage.kind === "escalated") return run;`,
    to: `  if (event.kind === "branch-fetched" || event.kind === "effect-failed") return run;`,
  },
  {
    name: "status hides the question of a task",
    proves: "every question reaches a place where a person looks",
    by: ["questions"],
    file: "src/daemon/views/runs.ts",
    from: `  if (run.stage.kind === "escalated") return run.stage.escalation.reason;
  const isAsked`,
    to: `  if (run.stage.kind === "escalated" && run.work.kind === "issue") return run.stage.escalation.reason;
  const isAsked`,
  },
  {
    name: "what an agent says while it is ended is not read",
    proves: "the last word of a life counts",
    by: ["questions"],
    file: "src/daemon/effects/session-effects.ts",
    from: `    await context.hearLast(await currentRun(context), epoch);\n`,
    to: ``,
  },
];
