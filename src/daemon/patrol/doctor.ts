// What the deacon asks of the doctor: which leftovers could be cleaned up, and to do it. Only
// checks whose fixes lose nothing and need no person.
import { candidatesCheck } from "../doctor/checks/candidates.ts";
import { leftoversCheck } from "../doctor/checks/leftovers.ts";
import { logsCheck } from "../doctor/checks/logs.ts";
import { orphanProcessesCheck, orphanSessionsCheck } from "../doctor/checks/orphans.ts";
import { phaseLinksCheck } from "../doctor/checks/phase-links.ts";
import { examine, fixAll } from "../doctor/examine.ts";
import type { InspectionFacts } from "../doctor/inspection.ts";

const CHECKS = [
  orphanSessionsCheck,
  orphanProcessesCheck,
  candidatesCheck,
  phaseLinksCheck,
  leftoversCheck,
  logsCheck,
];

export type Doctor = {
  /** What is left behind and can be cleaned up, a sentence each. */
  find(): Promise<string[]>;
  fix(): Promise<Fixed>;
};

/** What the doctor cleaned up; `note` says it in a sentence. */
export type Fixed = { fixed: number; note: string };

export const createDoctor = (facts: InspectionFacts): Doctor => ({
  find: async () => {
    const { checks } = await examine(facts, CHECKS);
    return checks.flatMap(({ id, troubles }) =>
      troubles.filter(({ fix }) => fix !== null).map(({ what }) => `${id}: ${what}`),
    );
  },
  fix: async () => {
    const { checks } = await fixAll(facts, CHECKS);
    const all = checks.flatMap(({ troubles }) => troubles).filter(({ fix }) => fix !== null);
    const fixed = all.filter((trouble) => trouble.fixed === true).length;
    return { fixed, note: `the doctor fixed ${fixed} of ${all.length}` };
  },
});
