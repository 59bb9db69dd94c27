// Figures, measured here and now. `npm run bench` runs all; `npm run bench -- reaction` only those
// whose name contains a word. `large` and `deliveries` take many minutes: only where they
// are named. Figures
// never decide a test.
import { benchGrowth } from "./bench/growth.ts";
import { benchHooks } from "./bench/hooks.ts";
import { benchCheckpoint, benchIdleWorkspaces } from "./bench/checkpoint.ts";
import { benchDeliveries } from "./bench/deliveries.ts";
import { benchDoctor } from "./bench/doctor.ts";
import { benchForge } from "./bench/forge.ts";
import { benchJournal } from "./bench/journal.ts";
import { benchKeeper } from "./bench/keeper.ts";
import { benchLarge } from "./bench/large.ts";
import { benchMerge } from "./bench/merge.ts";
import { benchMeter } from "./bench/meter.ts";
import { benchMonitor } from "./bench/monitor.ts";
import { benchPage, benchPageBusy, benchPageRun } from "./bench/page.ts";
import { benchReaction } from "./bench/reaction.ts";
import { benchResolver } from "./bench/resolver.ts";
import { benchScale } from "./bench/scale.ts";
import { benchIdle, benchLives } from "./bench/sessions.ts";
import { benchStartUp } from "./bench/start-up.ts";
import { benchWalls } from "./bench/walls.ts";
import { benchAgents, benchWatching } from "./bench/watching.ts";

const BENCHES: Record<string, () => Promise<void>> = {
  "start-up": benchStartUp,
  reaction: () => benchReaction(false),
  "reaction-busy": () => benchReaction(true),
  lives: benchLives,
  idle: benchIdle,
  checkpoint: benchCheckpoint,
  "idle-workspaces": benchIdleWorkspaces,
  watching: benchWatching,
  agents: benchAgents,
  journal: benchJournal,
  doctor: benchDoctor,
  keeper: benchKeeper,
  forge: benchForge,
  hooks: benchHooks,
  monitor: benchMonitor,
  meter: benchMeter,
  merge: benchMerge,
  resolver: benchResolver,
  walls: benchWalls,
  scale: benchScale,
  growth: benchGrowth,
  page: benchPage,
  "page-run": benchPageRun,
  "page-busy": benchPageBusy,
  large: benchLarge,
  deliveries: benchDeliveries,
};

/** They take many minutes. */
const NAMED_ONLY = new Set(["large", "deliveries"]);

// Words like `runs=1000` are for the bench itself.
const words = process.argv.slice(2).filter((word) => !word.includes("="));
const chosen = Object.entries(BENCHES).filter(
  ([name]) =>
    (words.length === 0 && !NAMED_ONLY.has(name)) || words.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  process.stderr.write(`nothing to measure; there are: ${Object.keys(BENCHES).join(", ")}\n`);
  process.exitCode = 2;
}
for (const [, bench] of chosen) await bench();
