// Planted bugs in what has a limit: budgets, hand-offs, the time until work is saved, endings.
import type { Mutant } from "./mutant-list.ts";

const RUN = "src/core/run";

export const LIMIT_MUTANTS: Mutant[] = [
  {
    name: "a lost workspace is made again without its checkpoint",
    proves: "(a) what was saved is what the next life gets",
    by: ["saved-work"],
    file: "src/daemon/effects/make-workspace.ts",
    from: `    ...(wanted.fresh === true ? {} : { identity }),
    ...(checkpoint === undefined ? {} : { checkpoint }),`,
    to: ``,
  },
  {
    name: "files that change are not saved while a life lasts",
    proves: "(a) what is written is on a checkpoint soon",
    by: ["saved-in-time"],
    file: "src/daemon/checkpoints/checkpointer.ts",
    from: `      onChange: () => this.#changed(saving, "files changed"),`,
    to: `      onChange: () => undefined,`,
  },
  {
    name: "a hand-off that the agent does not read is forgotten",
    proves: "context hand-off has a deadline",
    by: ["hand-offs"],
    file: `${RUN}/run.ts`,
    from: `  session?.status === "live" ? session.handOff?.deadline : undefined;`,
    to: `  session?.handOff?.saved === true ? session.handOff.deadline : undefined;`,
  },
  {
    name: "no person is told of an agent that cannot be ended",
    proves: "when a budget is exceeded a person can see it",
    by: ["unended"],
    file: `${RUN}/failures.ts`,
    from: `    notify(run, { severity: "urgent", about, round: "unended" }, context);`,
    to: `    if (about === "") notify(run, { severity: "urgent", about, round: "unended" }, context);`,
  },
  {
    name: "a spent day starts an agent",
    proves: "a day's budget closes the project",
    by: ["spending"],
    file: "src/core/project/day-budget.ts",
    from: `  day: overspent(budget?.day, total, from?.total),`,
    to: `  day: overspent(undefined, total, from?.total),`,
  },
  {
    name: "a spent run goes on",
    proves: "a run's budget is a person's to raise",
    by: ["spending"],
    file: `${RUN}/run-budget.ts`,
    from: `  spending && overspent(config.budget?.run, spending.total, spending.from);`,
    to: `  spending && overspent(config.budget?.day, spending.total, spending.from);`,
  },
];
