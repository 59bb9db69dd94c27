// Every sentence a patrol says: to the operator, on issues, and in its own notes.
import type { OrphanFact } from "./orphan.ts";
import type { InboxFact } from "./patrol-event.ts";

export function orphanFound(fact: OrphanFact): string {
  switch (fact.kind) {
    case "issue":
      return `#${fact.issue} is in progress, but nobody works on it${fact.ended === undefined ? "" : ` (its run is ${fact.ended})`}`;
    case "identity":
      return `${fact.identity} counts as living, but nobody has seen it: it is looked at`;
    case "entry":
      return `${fact.branch} is in the merge queue, but its run ${fact.run} is over: it is taken out`;
    case "session":
      return `a session of run ${fact.run} (life ${fact.epoch}) outlived it: it is ended`;
  }
}

export const incident = ({ issue, title }: { issue: number; title: string }) => ({
  title: `Incident: the work on #${issue} cannot be found`,
  body: [
    `#${issue} (${title}) was in progress, but no run works on it, and neither a checkpoint nor a branch of it is in the hub.`,
    "",
    "Work may be lost. Look at `pawl checkpoint list` and at the daemon's log before it is tried again; the issue itself is back in the backlog.",
  ].join("\n"),
});

export const requeued = (): string =>
  "No run works on this issue any more, so that it is back in the backlog.";

export const unresponsive = (component: string, cycles: number): string =>
  `Health: ${component} is unresponsive for ${cycles} rounds`;

export const unresponsiveBody = (facts: {
  cycles: number;
  detail: string;
  lastHealthy: number | undefined;
}): string =>
  [
    `It gave no normal answer for ${facts.cycles} rounds, and starting it again did not help.`,
    `Last healthy: ${facts.lastHealthy === undefined ? "never seen so" : new Date(facts.lastHealthy).toISOString()}`,
    `What is seen: ${facts.detail}`,
    "",
    "Look with `pawl status` and in daemon.log; `pawl patrol restart` counts anew.",
  ].join("\n");

export const forwarded = ({ from, subject, body }: InboxFact): string =>
  `${from} wrote to the deacon, and the rules do not decide it.\n\nSubject: ${subject}\n\n${body}`;

export const heavy = (what: string): string => `The daemon grows: ${what}`;

export const begin = (): string => "Begin.";

export const deaconLate = (agoMs: number): string =>
  `the deacon's last round was ${Math.round(agoMs / 1000)} s ago`;

export const silentWorker = (identity: string, sinceMs: number): string =>
  `HELP: ${identity} has not been seen for ${Math.round(sinceMs / 60_000)} min`;
