// What landed is over. The branch of a run that landed goes, and nothing brings it back; and an issue
// that people open again is closed only by new work: no head closes its issue twice.
import { runAggregate } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact } from "../fact.ts";
import { issueIn } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 20 * 60_000;

export function reopened(world: World): Checker {
  const name = "reopened";
  /** By project, issue and head: which run it ended. */
  const closedBy = new Map<string, string>();
  /** By project and branch: the run that used it last. */
  const lastOf = new Map<string, Run>();
  /** By aggregate: a run as it was when something that matters here changed last. */
  const known = new Map<string, Run>();
  /** Deleting their branches failed, and is not tried again: an outage may outlast all tries. */
  const undeleted = new Set<string>();

  function journaled(id: string, run: Run): void {
    const before = known.get(id);
    // A session is seen far more often than its work changes.
    if (before !== undefined && isSameWork(before, run)) return;
    known.set(id, run);
    const place = `${run.project} ${run.branch}`;
    if (before === undefined || lastOf.get(place)?.id === run.id) lastOf.set(place, run);
    if (run.outcome?.kind !== "landed" || run.head === undefined) return;
    const mark = `${run.project} #${issueIn(run) ?? run.id} ${run.head}`;
    const other = closedBy.get(mark) ?? run.id;
    closedBy.set(mark, other);
    if (other === run.id) return;
    const how = `with ${run.head}, with which ${other} had ended`;
    world.fail(name, `${run.project}/${run.id} ended as landed without new work, ${how}`);
  }

  async function look(): Promise<void> {
    const rows = await world.store.outbox();
    for (const run of lastOf.values()) {
      const id = runAggregate(run.project, run.id);
      if (undeleted.has(id) || rows.some(({ aggregate }) => aggregate === id)) continue;
      const where = placeOfLanded(world, run);
      if (where === undefined) continue;
      world.fail(name, `${run.project}/${run.id} landed, and ${where} still has ${run.branch}`);
    }
  }

  const broke = (error: unknown): void =>
    world.fail("simulator", `${name} broke: ${String(error)}`);

  function again(): void {
    look()
      .catch(broke)
      .finally(() => world.clock.after(LOOK_MS, again));
  }

  world.clock.after(LOOK_MS, again);
  return {
    name,
    hear(fact) {
      noteDeletion(undeleted, fact);
      if (fact.kind !== "journaled") return;
      for (const { id, state } of fact.journaled.states) {
        if (state.kind === "run") journaled(id, state);
      }
    },
  };
}

const isSameWork = (a: Run, b: Run): boolean =>
  a.branch === b.branch && a.head === b.head && a.outcome === b.outcome;

/** Where the branch of a run still is although it landed with this very head. */
function placeOfLanded(world: World, { project, outcome, branch, head }: Run): string | undefined {
  if (outcome?.kind !== "landed" || head === undefined) return undefined;
  const { branches, upstreamBranches } = world.project(project);
  if (branches.get(branch) === head) return "the hub";
  return upstreamBranches.get(branch) === head ? "upstream" : undefined;
}

/** A try that failed, until it is written down that there will be another, which waits in the outbox. */
function noteDeletion(undeleted: Set<string>, fact: Fact): void {
  if (fact.kind === "effect-refused") {
    const [, run] = /^delete-branch of (run:\S+)/.exec(fact.about) ?? [];
    if (run !== undefined) undeleted.add(run);
  }
  if (fact.kind !== "journaled") return;
  for (const { key } of fact.journaled.postponed) {
    const [, run] = /^(run:\S+):delete-branch$/.exec(key) ?? [];
    if (run !== undefined) undeleted.delete(run);
  }
}
