// Invariant (h): no forge object is made twice: one open PR per branch, one diagnostic per run that
// gave up, one report per attempt at an action, one word of the deacon each time that it settles a
// claim without an owner. And an issue is closed by Pawl only where its work landed.
import type { Action } from "../../src/core/action/action.ts";
import { projectOf } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { NewOutboxRow } from "../../src/ports/store.ts";
import type { ForgeRecords } from "../fakes/forge-records.ts";
import { STRANGER } from "../config.ts";
import { SAID } from "../roles.ts";
import { placeOf } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/**
 * Questions to operators, and what is said to their answers: checkers/answers.ts looks at them. What
 * is said of an item of the vault names it, and each item asks once.
 */
const TALK = /^(?:Pawl needs a person|Thank you, @|@)|\bpawl vault \w+ v\d+\b|\bvault v\d+\b/;

const REVIEW = /<!-- review(?:ed|-error): \S+ -->/;

export function forgeOnce(world: World): Checker {
  const name = "forge-once";
  /** What may be said about an issue: by whom, once each. */
  const speakers = new Map<string, Set<string>>();

  function journaled(run: Run): void {
    const { outcome, work, session } = run;
    // Another agent continues: said once for each life that begins so.
    const on = session?.isOther === true ? placeOf(run) : undefined;
    if (on !== undefined) maySpeak(`${run.project} ${on}`, `${run.id} ${session?.epoch}`);
    if (work.kind !== "issue") return;
    if (outcome?.kind !== "blocked" && outcome?.kind !== "refused") return;
    maySpeak(`${run.project} ${work.number}`, run.id);
  }

  function acted({ project, issue, attempt, stage }: Action): void {
    if (stage.kind === "settling") maySpeak(`${project} ${issue}`, `action ${attempt}`);
  }

  /** A claim without an owner is told once for each time that the deacon settles it. */
  function settles({ key, aggregate, effect }: NewOutboxRow): void {
    if (effect.kind !== "settle-orphan" || effect.orphan.kind !== "issue") return;
    maySpeak(`${projectOf(aggregate)} ${effect.orphan.issue}`, key);
  }

  const maySpeak = (issue: string, who: string): void => {
    speakers.set(issue, (speakers.get(issue) ?? new Set()).add(who));
  };

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") {
        for (const { state } of fact.journaled.states) {
          if (state.kind === "run") journaled(state);
          if (state.kind === "action") acted(state);
        }
        for (const row of fact.journaled.effects) settles(row);
      }
      if (fact.kind !== "forge-made") return;
      const { forge } = world.project(fact.project);
      const [first = ""] = fact.mark.split(" ");
      if (fact.what === "comment" && forge.prByNumber.has(Number(first))) {
        const problem = reviewedTwice(forge, Number(first));
        if (problem !== undefined) world.fail(name, problem);
      } else if (fact.what === "comment") {
        const count = saidByPawl(forge, Number(first));
        const allowed = speakers.get(`${fact.project} ${first}`)?.size ?? 0;
        if (count > allowed)
          world.fail(
            name,
            `#${first} of ${fact.project} has ${count} comments, and ${allowed} had something to say`,
          );
      } else if (fact.what === "pr") {
        if (hasOpenPr(forge, first))
          world.fail(name, `a second open PR of ${first} of ${fact.project}`);
      }
    },
  };
}

const saidByPawl = (forge: ForgeRecords, issue: number): number =>
  (forge.commentsOf.get(issue) ?? []).filter(
    ({ author, body }) => author === "pawl" && !TALK.test(body) && !SAID.test(body),
  ).length;

const hasOpenPr = (forge: ForgeRecords, branch: string): boolean =>
  [...forge.prByNumber.values()].some((pr) => pr.branch === branch && pr.state === "open");

/** A head is reviewed once, however often its reviewer or the daemon dies. */
const reviewedTwice = (forge: ForgeRecords, pr: number): string | undefined => {
  const marks = (forge.commentsOf.get(pr) ?? []).flatMap(({ author, body }) =>
    author === STRANGER ? [] : (REVIEW.exec(body)?.[0] ?? []),
  );
  return new Set(marks).size < marks.length
    ? `a head of #${pr} was reviewed twice: ${marks.join(", ")}`
    : undefined;
};
