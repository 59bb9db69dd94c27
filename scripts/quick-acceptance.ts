// Which acceptance tests `npm test` runs: one or two of each part of the product, chosen so that they
// take about two minutes on two cores. `npm run test:all` runs the others too.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "test/acceptance";

const QUICK = [
  "bad-input",
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
  "recovery-moments",
  "reviews",
  "sessions-messages",
  "start-up",
  "vault",
];

const all = readdirSync(join(import.meta.dirname, "..", FOLDER))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `${FOLDER}/${name}`);

export const quickAcceptance = QUICK.map((name) => `${FOLDER}/${name}.test.ts`);

// Vitest would pass over a name that fits no file in silence.
const unknown = quickAcceptance.filter((file) => !all.includes(file));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}`);

/** What `npm test` leaves out. */
export const otherAcceptance = all.filter((file) => !quickAcceptance.includes(file));
