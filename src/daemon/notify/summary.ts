// A day in a few lines, for people who want to hear from a factory also when it is well. Pure.
import type { StatusView } from "../../api/runs.ts";
import type { News } from "../../ports/notifier.ts";

const DAY_MS = 24 * 60 * 60_000;
const WAITS_SHOWN = 10;

/** The day whose summary is due at this time, where one is; each day once. */
export function summaryDue(
  at: number,
  { summaryAt, summedUp }: { summaryAt: number | undefined; summedUp: string | undefined },
): string | undefined {
  if (summaryAt === undefined) return undefined;
  const day = new Date(at).toISOString().slice(0, 10);
  const minutes = Math.floor((at - Date.parse(`${day}T00:00:00.000Z`)) / 60_000);
  return minutes >= summaryAt && summedUp !== day ? day : undefined;
}

export function summaryNews(
  status: StatusView,
  { project, day, at }: { project: string; day: string; at: number },
): News {
  const since = new Date(at - DAY_MS).toISOString();
  const landed = status.landed.filter((one) => one.at >= since);
  const blocked = status.runs.filter((run) => run.outcome === "blocked");
  const working = status.runs.filter((run) => run.outcome === null);
  const waits = status.waits.filter((wait) => wait.needs_you);
  const ready = status.projects.reduce((sum, { backlog }) => sum + backlog.ready, 0);
  return {
    key: `summary:${project}:${day}`,
    severity: "info",
    project,
    title: `${day}: ${landed.length} landed, ${blocked.length} blocked, ${waits.length} for you`,
    body: [
      `At work: ${working.length}. Ready in the backlog: ${ready}.`,
      ...waits.slice(0, WAITS_SHOWN).map(({ about, why }) => `- ${about}: ${why}`),
      ...(waits.length > WAITS_SHOWN ? [`- and ${waits.length - WAITS_SHOWN} more`] : []),
    ].join("\n"),
  };
}
