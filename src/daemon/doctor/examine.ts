// An examination: all checks side by side, each with a limit, and what they found as one report.
// Problems are fixed one after the other, and one counts as fixed only when the check itself no
// longer finds it.
import { describeError } from "../../lib/operation-error.ts";
import type { DoctorCheckView, DoctorView } from "../../api/doctor.ts";
import type { Check, Trouble } from "./check.ts";
import { createInspection, type Inspection, type InspectionFacts } from "./inspection.ts";

/** The whole examination takes no longer: a check that hangs is a finding by itself. */
const CHECK_MAX_MS = 4_000;

type Found = { check: Check; troubles: Trouble[]; tookMs: number };
type Fixed = ReadonlyMap<string, string | undefined>;

export async function examine(
  facts: InspectionFacts,
  checks: readonly Check[],
): Promise<DoctorView> {
  const begin = performance.now();
  const found = await lookAll(createInspection(facts), checks);
  return report(found, new Map(), begin);
}

/** Fixes what can be fixed, and checks it again. */
export async function fixAll(
  facts: InspectionFacts,
  checks: readonly Check[],
): Promise<DoctorView> {
  const begin = performance.now();
  const found = await lookAll(createInspection(facts), checks);
  const tried = new Map<string, string | undefined>();
  for (const { check, troubles } of found) {
    for (const trouble of troubles) {
      if (trouble.fix === undefined) continue;
      tried.set(idOf(check, trouble), await tryOut(trouble.fix.apply));
    }
  }
  const again = await lookAll(
    createInspection(facts),
    found.filter(({ troubles }) => troubles.length > 0).map(({ check }) => check),
  );
  return report(
    found.map((before) => withAfter(before, again)),
    tried,
    begin,
  );
}

const idOf = (check: Check, trouble: Trouble): string => `${check.id} ${trouble.key}`;

/**
 * A problem that was there before stays in the report, also when it is fixed; new ones are added.
 */
function withAfter(before: Found, again: readonly Found[]): Found & { left?: Set<string> } {
  const after = again.find(({ check }) => check === before.check);
  if (after === undefined) return before;
  const known = new Set(before.troubles.map(({ key }) => key));
  const fresh = after.troubles.filter(({ key }) => !known.has(key));
  return {
    ...before,
    troubles: [...before.troubles, ...fresh],
    left: new Set(after.troubles.map(({ key }) => key)),
  };
}

async function tryOut(apply: () => Promise<void>): Promise<string | undefined> {
  try {
    await apply();
    return undefined;
  } catch (error) {
    const { message, hint } = describeError(error);
    return hint === undefined ? message : `${message} (${hint})`;
  }
}

const lookAll = (inspection: Inspection, checks: readonly Check[]): Promise<Found[]> =>
  Promise.all(checks.map((check) => look(inspection, check)));

/** A check that fails or hangs is a finding too: whether all is well there is unknown. */
async function look(inspection: Inspection, check: Check): Promise<Found> {
  const begin = performance.now();
  const troubles = await Promise.race([answerOf(inspection, check), tooLong(inspection)]);
  return { check, troubles, tookMs: performance.now() - begin };
}

async function answerOf(inspection: Inspection, check: Check): Promise<Trouble[]> {
  try {
    return await check.run(inspection);
  } catch (error) {
    const { message, hint } = describeError(error);
    const trouble = { key: "cannot look", what: `cannot be checked: ${message}` };
    return [hint === undefined ? trouble : { ...trouble, hint }];
  }
}

const tooLong = ({ ports }: Inspection): Promise<Trouble[]> =>
  new Promise((resolve) => {
    const what = `no answer within ${CHECK_MAX_MS / 1000} s`;
    const hint = "the machine is probably busy: run `pawl doctor` again";
    const late: Trouble = { key: "no answer", what, hint, isUnanswered: true };
    ports.clock.after(CHECK_MAX_MS, () => resolve([late]));
  });

function report(
  found: readonly (Found & { left?: Set<string> })[],
  tried: Fixed,
  begin: number,
): DoctorView {
  const checks = found.map((one) => checkView(one, tried));
  return {
    healthy: checks.every(({ troubles }) =>
      troubles.every(({ fixed, note }) => fixed === true || note === true),
    ),
    took_ms: Math.round(performance.now() - begin),
    checks,
  };
}

function checkView(
  { check, troubles, tookMs, left }: Found & { left?: Set<string> },
  tried: Fixed,
): DoctorCheckView {
  return {
    id: check.id,
    title: check.title,
    took_ms: Math.round(tookMs),
    troubles: troubles.map((trouble) => {
      const id = idOf(check, trouble);
      const failed = tried.get(id);
      return {
        what: trouble.what,
        hint: trouble.hint ?? null,
        fix: trouble.fix?.plan ?? null,
        fixed: tried.has(id) ? left?.has(trouble.key) === false : null,
        failed: failed ?? null,
        ...(trouble.isNote === true && { note: true }),
        ...(trouble.isUnanswered === true && { unanswered: true }),
      };
    }),
  };
}
