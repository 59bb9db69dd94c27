// Things without an owner, of four kinds. One must be seen in two rounds in a row before anything
// is done about it: between two looks the world moves.
import type { Context } from "../context.ts";
import { patrolAggregate, projectAggregate, queueAggregate } from "../ids.ts";
import type { RunOutcome } from "../run/run.ts";
import * as say from "../words/patrol.ts";
import { noted, type Patrol } from "./patrol.ts";

export type OrphanFact =
  /**
   * In progress on the forge, and no run works on it. `ended`: how the last one did, whose word did
   * not reach the forge; without one, `lost` says that nothing of its work can be found either.
   */
  | {
      kind: "issue";
      key: string;
      issue: number;
      title: string;
      ended: RunOutcome["kind"] | undefined;
      lost: boolean;
      /** The claim on it that has no owner any more; an older version did not ask. */
      claim?: string;
      /** So many were made, the last of which the journal does not know. */
      attempts?: number;
      /** It is an operation: how it ended, where that is known; or that it was only claimed. */
      action?: "done" | "blocked" | "unbegun" | "unknown";
    }
  /** According to the journal it is running, but it was not seen. */
  | { kind: "identity"; key: string; identity: string; run: string }
  /** In the merge queue, and its run is over. */
  | { kind: "entry"; key: string; entry: number; branch: string; run: string }
  /** It runs, and its run is over. */
  | { kind: "session"; key: string; run: string; epoch: number; tmuxSession: string | undefined };

export type Incident = { title: string; body: string };

export type Orphan = {
  fact: OrphanFact;
  seen: number;
  since: number;
  settled: string | undefined;
  /** The act that last settled it, and when; not in states of an earlier version. */
  acted?: { act: number; at: number };
};

/** Seen so often in a row, it is no passing state. */
const SURE_AT = 2;
/** One that is still there after this is settled again: that may have failed, or come too early. */
const AGAIN_MS = 30 * 60_000;

export function checkOrphans(patrol: Patrol, facts: OrphanFact[], context: Context): Patrol {
  if (facts.length === 0 && Object.keys(patrol.orphans).length === 0) return patrol;
  let next = patrol;
  const orphans: Record<string, Orphan> = {};
  for (const fact of facts) {
    const before = patrol.orphans[fact.key];
    const seen = Math.min((before?.seen ?? 0) + 1, SURE_AT);
    const since = before?.since ?? context.at;
    const orphan: Orphan = { fact, seen, since, settled: before?.settled };
    if (before?.acted !== undefined) orphan.acted = before.acted;
    const isDue = before !== undefined && mayAct(before, context.at);
    if (isDue) {
      // Under the same key: the forge makes each comment and incident only once.
      const act = orphan.acted?.act ?? next.acts + (fact.kind === "entry" ? 0 : 1);
      next = settle({ ...next, acts: Math.max(next.acts, act) }, { fact, act }, context);
      orphan.acted = { act, at: context.at };
    }
    orphans[fact.key] = orphan;
  }
  return same(patrol.orphans, orphans) ? next : { ...next, orphans };
}

const mayAct = ({ seen, since, acted }: Orphan, at: number): boolean =>
  seen < SURE_AT || at - (acted?.at ?? since) >= AGAIN_MS;

/** Facts of one key are the same but for words; counting on changes nothing once it is sure. */
function same(before: Record<string, Orphan>, after: Record<string, Orphan>): boolean {
  const keys = Object.keys(after);
  return (
    keys.length === Object.keys(before).length &&
    keys.every(
      (key) =>
        before[key]?.seen === after[key]?.seen && before[key]?.acted?.at === after[key]?.acted?.at,
    )
  );
}

function settle(
  patrol: Patrol,
  { fact, act }: { fact: OrphanFact; act: number },
  context: Context,
): Patrol {
  const { at, output } = context;
  const next = noted(patrol, "orphan-check", { at, text: say.orphanFound(fact) });
  if (fact.kind === "entry") {
    const event = { kind: "entry-removed", at, entry: fact.entry, by: "deacon" } as const;
    output.tells.push({ to: queueAggregate(patrol.project), event });
    return next;
  }
  if (fact.kind === "issue" && fact.attempts !== undefined) {
    const { issue, attempts } = fact;
    const event = { kind: "attempts-found", at, issue, attempts } as const;
    output.tells.push({ to: projectAggregate(patrol.project), event });
  }
  const aggregate = patrolAggregate(patrol.project, patrol.name);
  output.effects.push({
    key: `${aggregate}:orphan:${act}`,
    lane: `${aggregate}:orphans`,
    effect: { kind: "settle-orphan", orphan: fact, incident: incidentOf(fact) },
  });
  return next;
}

const incidentOf = (fact: OrphanFact): Incident | undefined =>
  fact.kind === "issue" && fact.lost ? say.incident(fact) : undefined;

export function orphanSettled(
  patrol: Patrol,
  { key, note }: { key: string; note: string },
  at: number,
): Patrol {
  const orphan = patrol.orphans[key];
  const told = noted(patrol, "session-gc", { at, text: note });
  if (orphan === undefined) return told;
  return { ...told, orphans: { ...told.orphans, [key]: { ...orphan, settled: note } } };
}
