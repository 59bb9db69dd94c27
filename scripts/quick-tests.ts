// Which tests `npm test` runs: one or two end-to-end tests of each part of the product, by the command
// line and in the browser, and all integration tests but the longest. `npm run test:all` runs the
// others too. What is new belongs here only where no other test of its part is.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const QUICK_PAGE = ["home", "queue", "run", "terminal"];

const QUICK_ACCEPTANCE = [
  "blocked",
  "cli",
  "cli-run",
  "demo",
  "dev-role",
  "first-hour",
  "forge-gitea",
  "formulas",
  "kill-daemon",
  "mail",
  "merge-queue",
  "page",
  "reviews",
  "sessions-messages",
  "vault",
];

/** The longest: they multiply cases, at random or by faults, of what the others show once. */
const LONG_INTEGRATION = [
  "checkpoint-trees",
  "forge-fuzz",
  "git-submodules",
  "journal-upgrade",
  "outside-fuzz",
  "simulated-days",
];

export type Split = { quick: string[]; others: string[] };

/** The named test files of a folder, and the others. */
function split(folder: string, names: string[]): Split {
  const all = readdirSync(join(import.meta.dirname, "..", folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
  const quick = names.map((name) => `${folder}/${name}.test.ts`);
  // Vitest would pass over a name that fits no file in silence.
  const unknown = quick.filter((file) => !all.includes(file));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}`);
  return { quick, others: all.filter((file) => !quick.includes(file)) };
}

const long = split("test/integration", LONG_INTEGRATION);

export const integration = { quick: long.others, others: long.quick };
export const acceptance = split("test/acceptance", QUICK_ACCEPTANCE);
export const page = split("test/page", QUICK_PAGE);
