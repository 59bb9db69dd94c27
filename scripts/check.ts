// `npm run check`: everything that must be green before a commit, side by side,
// one line per tool. Must stay under 15 s.
import { formatOutcome, runTool, runVitest, type Outcome } from "./tool.ts";

/** A guard, not a claim: on a loaded machine the unit tests alone take minutes. */
const TIMEOUT_MS = 900_000;

const TOOLS = [
  { name: "oxfmt", command: ["oxfmt", "--check"] },
  { name: "oxlint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "tsc", command: ["tsc", "--noEmit"] },
  { name: "tsc page", command: ["tsc", "--noEmit", "-p", "src/page"] },
  { name: "knip", command: ["knip", "--no-progress"] },
];

export async function check(): Promise<Outcome[]> {
  const runs = [
    ...TOOLS.map((tool) => runTool({ ...tool, timeoutMs: TIMEOUT_MS })),
    runVitest("unit", { timeoutMs: TIMEOUT_MS }),
  ];
  return Promise.all(runs.map(report));
}

async function report(run: Promise<Outcome>): Promise<Outcome> {
  const outcome = await run;
  const details = outcome.ok ? "" : `\n${outcome.output.trimEnd()}\n`;
  console.log(formatOutcome(outcome) + details);
  return outcome;
}

if (import.meta.main) {
  const outcomes = await check();
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
}
