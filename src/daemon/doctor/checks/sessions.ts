// What the journal holds for living sessions lives.
import { runAggregate } from "../../../core/ids.ts";
import type { Run } from "../../../core/run/run.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

/** A daemon that runs notices within seconds by itself. */
const NOTICED_MS = 30_000;

export const sessionsCheck: Check = {
  id: "sessions",
  title: "sessions that are recorded as alive",
  run: async (inspection) => {
    const found = await Promise.all((await inspection.runs()).map((run) => look(inspection, run)));
    return found.flat();
  },
};

async function look(inspection: Inspection, run: Run): Promise<Trouble[]> {
  const { ports, daemon, now } = inspection;
  const { session } = run;
  if (session?.status !== "live" || session.process === undefined) return [];
  if (daemon !== null && now - session.lastSeen < NOTICED_MS) return [];
  if ((await ports.terminal.probe(session.process)) !== "dead") return [];
  const { pid } = session.process;
  return [
    {
      key: session.id,
      what: `${run.identity} (epoch ${session.epoch}) is recorded as running, but its process ${pid} no longer exists`,
      fix: {
        plan: `record that ${session.id} has ended; the next daemon resumes or reports it`,
        apply: () => writeDown(inspection, run),
      },
    },
  ];
}

async function writeDown({ ports, paths, writing, now }: Inspection, run: Run): Promise<void> {
  const { epoch } = run;
  const path = paths.session(run.project, run.id, epoch);
  const { exit } = await ports.sessionFiles.read({ path });
  const to = runAggregate(run.project, run.id);
  await writing?.engine.loop.submit({
    to,
    event: { kind: "session-exited", at: now, epoch, exit },
  });
}
