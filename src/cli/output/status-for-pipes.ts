// The status of a factory for programs that read lines: tab-separated, the first field says what
// the line is about, times are ISO.
import type { StatusView } from "../../api/runs.ts";
import { formatTsv } from "../../lib/table.ts";
import { pipedReason } from "./wait-words.ts";

export function statusForPipes(status: StatusView): string {
  const { daemon, projects, runs, queue, waits, landed, elsewhere = [] } = status;
  return formatTsv([
    daemon === null
      ? ["daemon", "none", "", ""]
      : ["daemon", "running", String(daemon.pid), daemon.since],
    ...projects.map(({ name, root, target, backlog }) => [
      "project",
      name,
      root,
      target ?? "",
      String(backlog.ready),
      String(backlog.waiting),
      String(backlog.blocked),
    ]),
    ...projects.flatMap(({ name, progress = [] }) => progress.map((line) => ["git", name, line])),
    ...runs
      .filter((run) => run.outcome === null)
      .map((run) => [
        "run",
        run.project,
        String(run.issue ?? run.identity),
        run.title,
        run.stage,
        run.alive ? "alive" : "none",
        run.requested_at,
        run.doing,
      ]),
    ...queue.map((entry) => ["queue", entry.project, String(entry.id), entry.branch, entry.status]),
    ...waits.map((wait) => [
      "wait",
      wait.project,
      wait.about,
      pipedReason(wait),
      wait.command ?? "",
    ]),
    ...landed.map(({ project, branch, at }) => ["landed", project, branch, at]),
    ...elsewhere.map(({ project, needs_you: needs }) => ["elsewhere", project, String(needs)]),
  ]);
}
