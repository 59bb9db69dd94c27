// Agents whose hooks should report do: one that is silent from its start cannot be watched well.
import type { Run } from "../../../core/run/run.ts";
import type { Check } from "../check.ts";
import { namesIn } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const SILENT_MS = 90_000;

export const signalsCheck: Check = {
  id: "signals",
  title: "hooks of running agents",
  run: async (inspection) => {
    const silent: Run[] = [];
    for (const run of await inspection.runs())
      if (await isSilent(inspection, run)) silent.push(run);
    return silent.map(({ identity, project, config }) => ({
      key: `${project} ${identity}`,
      what: `no signal: ${identity} of ${project} started over 90 s ago, and none of its hooks has reported`,
      hint: `attach with \`pawl attach ${identity}\`: it may be showing a dialog, or ${config.agent.runtime} may be too old for hooks`,
    }));
  },
};

/** Only an agent that confirms what it is told is known to report from its start on. */
async function isSilent({ ports, paths, now }: Inspection, run: Run): Promise<boolean> {
  const { session, config } = run;
  if (session?.status !== "live" || !ports.agent(config.agent.runtime).confirms) return false;
  const { context, stopped, question, limit, clock } = session.evidence;
  const isHeard =
    session.lastProgress > session.startedAt ||
    [context.percent, stopped, question, limit, clock].some((sign) => sign !== undefined);
  if (isHeard || now - session.startedAt < SILENT_MS) return false;
  const spool = `${paths.session(run.project, run.id, session.epoch)}/spool/new`;
  return (await namesIn(spool)).length === 0;
}
