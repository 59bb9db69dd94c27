// Every retry has a budget: of an effect, of a run's lives, of an agent's fixes.
import type { Run } from "../../src/core/run/run.ts";
import type { Process, World } from "../world.ts";
import type { Checker } from "./checker.ts";

const ATTEMPTS_MAX = 20;
/** Lives of one identity within an hour: crashes, nudges and news together stay far below. */
const LIVES_MAX = 40;
const HOUR_MS = 3_600_000;
/** The configured three, and those that Pawl may count for another head than the workspace's. */
const CRASHES_MAX = 6;
/** From then on crashes count from zero; a run changes its agent a few times at most. */
const FROM_ZERO = ["escalation-answered", "run-retried", "agent-given"];

export function budgets(world: World): Checker {
  const name = "budgets";
  const starts = new Map<string, number[]>();

  function started(identity: string): void {
    const now = world.clock.monotonicMs();
    const recent = (starts.get(identity) ?? []).filter((at) => at > now - HOUR_MS);
    recent.push(now);
    starts.set(identity, recent);
    if (recent.length > LIVES_MAX)
      world.fail(name, `${identity} was started ${recent.length} times in an hour`);
  }

  const crashes = new Map<string, { at: number; head: string }[]>();
  /** Lives whose agent reported a limit of its account: their end is not held against it. */
  const limited = new Set<string>();

  /** Crashes within an hour without a new commit, since a person last spoke or another agent began. */
  function crashed({ project, run, epoch, workspace }: Process): void {
    if (limited.has(`${project}/${run}:${epoch}`)) return;
    // By the wall clock, as Pawl counts: while a machine slept, its crashes grew old.
    const now = world.clock.now();
    const head = world.project(project).workspaces.get(workspace)?.head ?? "";
    const before = crashes.get(`${project}/${run}`) ?? [];
    const same = before.filter((crash) => crash.at > now - HOUR_MS && crash.head === head);
    crashes.set(`${project}/${run}`, [...same, { at: now, head }]);
    if (same.length < CRASHES_MAX) return;
    world.fail(name, `${project}/${run} crashed ${same.length + 1} times in an hour and goes on`);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "process-ended" && fact.crashed) crashed(fact.process);
      if (fact.kind === "process-started") started(`${fact.project} ${fact.identity}`);
      if (fact.kind !== "journaled") return;
      for (const { key, attempts } of fact.journaled.postponed) {
        if (attempts >= ATTEMPTS_MAX)
          world.fail(name, `${key} is to be tried ${attempts + 1} times`);
      }
      for (const { to, event } of fact.journaled.events) {
        const run = to.slice("run:".length);
        if (FROM_ZERO.includes(event.kind)) crashes.delete(run);
        if (event.kind === "spool-received" && event.name === "limit")
          limited.add(`${run}:${event.epoch}`);
      }
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "run") continue;
        const { counts } = state;
        if (isOverBudget(state))
          world.fail(
            name,
            `${state.project}/${state.id} is over its budget: ${JSON.stringify(counts)}`,
          );
      }
    },
  };
}

const isOverBudget = ({ counts, config: { limits } }: Run): boolean =>
  counts.ciFixes > limits.ciFixesMax ||
  counts.reviewRounds > limits.reviewRoundsMax ||
  counts.nudges > limits.nudgesMax;
