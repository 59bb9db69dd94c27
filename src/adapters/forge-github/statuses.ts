// What is said of a commit on GitHub: commit statuses and check runs, as one list. And which of them
// the target requires: by branch protection or by rulesets.
import type { Commit } from "../../core/ids.ts";
import type { Status } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shape from "./shapes.ts";

export async function listStatuses(connection: Connection, commit: Commit): Promise<Status[]> {
  const [statuses, checks] = await Promise.all([
    connection.read.list({
      what: `read the statuses of ${commit.slice(0, 10)}`,
      path: connection.at(`/commits/${commit}/status`),
      query: { per_page: 100 },
      schema: shape.combined.transform((page) => page.statuses),
    }),
    connection.read.list({
      what: `read the checks of ${commit.slice(0, 10)}`,
      path: connection.at(`/commits/${commit}/check-runs`),
      query: { per_page: 100, filter: "latest" },
      schema: shape.checkRuns.transform((page) => page.check_runs),
    }),
  ]);
  const byContext = new Map(statuses.map((raw) => [raw.context, shownStatus(raw)]));
  // Of several runs of one name (two apps, two workflows) the worst counts, whichever came last.
  for (const run of checks.toSorted((a, b) => a.id - b.id)) {
    const shown = shownRun(run);
    const before = byContext.get(run.name);
    if (before === undefined || WORSE.indexOf(shown.state) < WORSE.indexOf(before.state)) {
      byContext.set(run.name, shown);
    }
  }
  return [...byContext.values()].toSorted((a, b) => a.context.localeCompare(b.context));
}

/**
 * Check suites that are not completed: their runs may not be there yet. GitHub makes a suite for every
 * app that may check, and one of an app that never does stays queued: without a run it is ignored,
 * except of GitHub Actions, whose suites come with a workflow.
 */
export async function listRunning(connection: Connection, commit: Commit): Promise<string[]> {
  const suites = await connection.read.list({
    what: `read the check suites of ${commit.slice(0, 10)}`,
    path: connection.at(`/commits/${commit}/check-suites`),
    query: { per_page: 100 },
    schema: shape.checkSuites.transform((page) => page.check_suites),
  });
  return suites
    .filter(({ status, app, latest_check_runs_count: runs }) => {
      const isUsed = app?.slug === "github-actions" || (runs ?? 0) > 0;
      return status !== "completed" && isUsed;
    })
    .map(({ app, status }) => `the check suite of ${app?.name ?? "an app"} (${status})`);
}

const WORSE: Status["state"][] = ["failure", "error", "pending", "success"];

const shownStatus = (raw: shape.RawStatus): Status => ({
  context: raw.context,
  state: raw.state,
  description: raw.description ?? "",
  url: raw.target_url ?? undefined,
});

const shownRun = (run: shape.RawCheckRun): Status => ({
  context: run.name,
  state: run.status === "completed" ? conclusionOf(run.conclusion ?? "") : "pending",
  description: run.output?.title ?? (run.conclusion ?? run.status).replaceAll("_", " "),
  url: run.details_url ?? undefined,
});

/** As branch protection counts them: neutral and skipped are no reason to stop. */
function conclusionOf(conclusion: string): Status["state"] {
  switch (conclusion) {
    case "success":
    case "neutral":
    case "skipped":
      return "success";
    case "timed_out":
    case "startup_failure":
    case "cancelled":
    case "stale":
      return "error";
    // A person has to press a button first.
    case "action_required":
      return "pending";
    default:
      return "failure";
  }
}

export async function requiredContexts(connection: Connection, branch: string): Promise<string[]> {
  const name = encodeURIComponent(branch);
  const [protectedBy, ruled] = await Promise.all([
    connection.read.ask({
      what: `read the protection of ${branch}`,
      path: connection.at(`/branches/${name}`),
      schema: shape.branch,
      accept: [404],
    }),
    connection.read.ask({
      what: `read the rules of ${branch}`,
      path: connection.at(`/rules/branches/${name}`),
      schema: shape.rules,
      // An Enterprise Server may be too old for rulesets.
      accept: [404],
    }),
  ]);
  const contexts =
    protectedBy.kind === "ok"
      ? (protectedBy.body.protection?.required_status_checks?.contexts ?? [])
      : [];
  const rules = ruled.kind === "ok" ? ruled.body : [];
  const byRules = rules
    .filter(({ type }) => type === "required_status_checks")
    .flatMap(({ parameters }) => parameters?.required_status_checks ?? [])
    .map(({ context }) => context);
  return [...new Set([...contexts, ...byRules])].toSorted();
}
