// A quarantined effect is not tried again by itself, because trying it does harm or leads nowhere:
// the daemon died of it, or its outcome cannot be processed. It fails as any other effect does, so
// that the aggregate that wanted it knows, and a person is told.
import type { Effect } from "./effect.ts";
import type { FailedEffect } from "./event.ts";
import { projectOf, type AggregateId } from "./ids.ts";

/** Two daemons died of an error of their own while they carried it out. */
export const POISON = "kills-the-daemon";
/** Its outcome was refused by an assertion, again and again. */
export const OUTCOME_REFUSED = "outcome-refused";

export const isQuarantined = ({ code }: Pick<FailedEffect, "code">): boolean =>
  code === POISON || code === OUTCOME_REFUSED;

/** In words of people: what is not tried any more, and why. */
export const quarantineTitle = (
  project: string,
  { obligation, code }: Pick<FailedEffect, "obligation" | "code">,
): string => {
  const what = obligation.effect.kind;
  const why =
    code === POISON
      ? "the daemon crashed twice while it did this"
      : "its outcome cannot be processed";
  return `Pawl has stopped trying \`${what}\` in ${project}: ${why}`;
};

export const tellOfQuarantine = (id: AggregateId, failed: FailedEffect): Effect => ({
  kind: "notify",
  severity: "urgent",
  title: quarantineTitle(projectOf(id), failed),
  body: failed.hint === undefined ? failed.message : `${failed.message} (${failed.hint})`,
});
