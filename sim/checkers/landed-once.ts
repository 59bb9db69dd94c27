// Invariant (c): an entry lands at most once, and "merged" is true. Also: the target only ever goes
// forward, so that no push is lost.
import type { Run } from "../../src/core/run/run.ts";
import { contains } from "../fakes/git.ts";
import { headsBetween, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function landedOnce(world: World): Checker {
  const name = "landed-once";
  const landed = new Set<string>();
  const merged = new Set<string>();
  const claimed = new Set<string>();

  function targetMoved(project: string, heads: string[]): void {
    for (const head of heads) {
      const mark = `${project} ${head}`;
      if (landed.has(mark)) world.fail(name, `${head} landed twice on ${project}`);
      landed.add(mark);
    }
  }

  /** A run that says it landed: its head is on the target. */
  function claims(run: Run): void {
    if (run.outcome?.kind !== "landed" || claimed.has(`${run.project} ${run.id}`)) return;
    claimed.add(`${run.project} ${run.id}`);
    const project = world.project(run.project);
    const { target } = project;
    const base = run.base === undefined ? {} : { base: run.base };
    const there =
      run.head !== undefined &&
      (project.landedHeads.has(run.head) || contains(project, { target, head: run.head, ...base }));
    if (!there)
      world.fail(name, `${run.project}/${run.id} says it landed, but ${run.head} did not`);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "target-moved") {
        const project = world.project(fact.project);
        const { repository } = project;
        if (!repository.isAncestor(fact.from, fact.to)) {
          world.fail(name, `the target of ${fact.project} lost ${fact.from} to ${fact.to}`);
        }
        if (fact.by === "pawl") {
          const heads = headsBetween(project, fact.from, fact.to);
          targetMoved(fact.project, [...new Set(heads)]);
        }
      } else if (fact.kind === "journaled") {
        for (const { state } of fact.journaled.states) if (state.kind === "run") claims(state);
        for (const signal of fact.journaled.signals) {
          if (signal.kind !== "MERGE_COMPLETE" || signal.run === undefined) continue;
          const mark = `${signal.project} ${signal.run} ${String(signal.detail["commit"])}`;
          if (merged.has(mark)) world.fail(name, `${mark} was merged twice`);
          merged.add(mark);
        }
      }
    },
  };
}
