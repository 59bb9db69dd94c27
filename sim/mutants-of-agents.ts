// Planted bugs in choosing agents and in continuing with another one.
import type { Mutant } from "./mutant-list.ts";

export const AGENT_MUTANTS: Mutant[] = [
  {
    name: "a limited account is given to a new run",
    proves: "a limit pauses its account",
    by: ["accounts"],
    file: "src/core/project/accounts.ts",
    from: `  const agent = options.find((option) => limitOf(project, option) === undefined);`,
    to: `  const agent = options.find((option) => limitOf(project, option)?.cannotStart !== true);`,
  },
  {
    name: "a run is given an account that is limited too",
    proves: "a limited account gets no new session",
    by: ["accounts"],
    file: "src/core/project/accounts.ts",
    from: `  const account = options.find((option) => project.accounts?.[option] === undefined);`,
    to: `  const account = options.find((option) => project.accounts?.[option]?.answered !== true);`,
  },
  {
    name: "every limit is that of the project's own account",
    proves: "a limit pauses only its account",
    by: ["accounts"],
    file: "src/core/project/accounts.ts",
    from: `  const account = event.account ?? ownAccount(project);
  const before`,
    to: `  const account = ownAccount(project);
  const before`,
  },
  {
    name: "the next agent resumes the conversation of the one before",
    proves: "cross-agent continuation begins with the hand-off brief",
    by: ["accounts"],
    file: "src/core/run/obligations.ts",
    from: `  ...(RESUMED.has(after) && isOther !== true ? { resumes: epoch - 1 } : {}),`,
    to: `  ...(RESUMED.has(after) ? { resumes: epoch - 1 } : {}),`,
  },
  {
    name: "a limited run asks for no other agent",
    proves: "where an account is limited, the next agent continues",
    by: ["accounts"],
    file: "src/core/run/take-over.ts",
    from: `  return othersOf(run).length === 0 ? undefined : limit;`,
    to: `  return othersOf(run).length < 9 ? undefined : limit;`,
  },
  {
    name: "an agent that waits for its model is called stuck",
    proves: "waiting for the model is never stuck",
    by: ["accounts"],
    file: "src/core/run/stuck.ts",
    from: `  const known = [busyAt, clock?.advancedAt, waiting?.at].map((time) => time ?? 0);`,
    to: `  const known = [busyAt, clock?.advancedAt, waiting?.since].map((time) => time ?? 0);`,
  },
];
