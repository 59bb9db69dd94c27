// Which end-to-end tests `npm test` runs: one or two of each part of the product, by the command line
// and in the browser, chosen so that they take about two minutes on two cores. `npm run test:all` runs
// the others too.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const QUICK_PAGE = ["comments", "home", "plots", "queue", "run", "terminal"];

const QUICK_ACCEPTANCE = [
  "blocked",
  "changes",
  "cli",
  "cli-run",
  "demo",
  "dev-role",
  "first-hour",
  "forge-gitea",
  "formulas",
  "gates",
  "history",
  "kill-daemon",
  "mail",
  "merge-queue",
  "page",
  "reviews",
  "sessions-messages",
  "start-up",
  "vault",
];

/** The named test files of a folder, and the others. */
function split(folder: string, names: string[]): { quick: string[]; others: string[] } {
  const all = readdirSync(join(import.meta.dirname, "..", folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
  const quick = names.map((name) => `${folder}/${name}.test.ts`);
  // Vitest would pass over a name that fits no file in silence.
  const unknown = quick.filter((file) => !all.includes(file));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}`);
  return { quick, others: all.filter((file) => !quick.includes(file)) };
}

export const acceptance = split("test/acceptance", QUICK_ACCEPTANCE);
export const page = split("test/page", QUICK_PAGE);
