// Budgets of tokens: once a day's is spent, no agent of that project is started before the next day;
// once a run's is, it is not started again before a person has answered. Counted here from what
// agents said and Pawl took in.
import type { Event } from "../../src/core/event.ts";
import { projectOf, type AggregateId } from "../../src/core/ids.ts";
import { budgetOf } from "../config.ts";
import type { Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const DAY_MS = 86_400_000;

export function spending(world: World): Checker {
  const name = "spending";
  const budget = budgetOf(world.options);
  const byLife = new Map<string, number>();
  const byRun = new Map<AggregateId, number>();
  const byDay = new Map<string, number>();
  const dayOf = (of: AggregateId, at: number): string =>
    `${projectOf(of)} ${Math.floor(at / DAY_MS)}`;

  function starts({ effects }: Journaled): void {
    const at = world.clock.now();
    for (const { aggregate, effect } of effects) {
      if (effect.kind !== "spawn-session") continue;
      const today = byDay.get(dayOf(aggregate, at)) ?? 0;
      const used = byRun.get(aggregate) ?? 0;
      if (today >= budget.day.tokens)
        world.fail(name, `${aggregate} starts though ${today} tokens are spent today`);
      if (used >= budget.run.tokens)
        world.fail(name, `${aggregate} goes on though it has spent ${used} tokens`);
    }
  }

  function answered(to: AggregateId, event: Event): void {
    if (event.kind === "escalation-answered" || event.kind === "run-retried") byRun.set(to, 0);
  }

  function used(to: AggregateId, event: { at: number; epoch: number; text: string }): void {
    const tokens = Number(/"kind":"usage","tokens":(\d+)/.exec(event.text)?.[1] ?? 0);
    const life = `${to} ${event.epoch}`;
    const fresh = Math.max(0, tokens - (byLife.get(life) ?? 0));
    if (fresh === 0) return;
    byLife.set(life, tokens);
    byRun.set(to, (byRun.get(to) ?? 0) + fresh);
    const day = dayOf(to, event.at);
    byDay.set(day, (byDay.get(day) ?? 0) + fresh);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind !== "journaled" || world.options.budget !== true) return;
      const { events } = fact.journaled;
      // What begins in a transaction may not know of what is spent in it.
      for (const { to, event } of events) answered(to, event);
      starts(fact.journaled);
      for (const { to, event } of events) {
        answered(to, event);
        if (event.kind === "spool-received") used(to, event);
      }
    },
  };
}
