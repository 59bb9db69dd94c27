// `pawl formula status|stop`: what runs of formulas have come to.
import type { FormulaRunView } from "../../../api/formulas.ts";
import { plainSpans } from "../../../api/spans.ts";
import type { Deps } from "../../deps.ts";
import { dotOf } from "../../output/dot.ts";
import { drawPlan } from "../../output/plan.ts";
import { printJson, printRows, type Column } from "../../output/rows.ts";
import { harmless, paint, when } from "../../output/text.ts";
import { inSentences } from "../../output/wrap.ts";
import type { Drawn } from "./look.ts";

export async function showRuns(
  deps: Deps,
  named: string | undefined,
  options: Drawn,
): Promise<void> {
  if (named !== undefined) return showRun(deps, named, options);
  const runs = await deps.client.get<FormulaRunView[]>("/v1/formulas/runs");
  const sorted = runs.toSorted((a, b) => a.requested_at.localeCompare(b.requested_at));
  const empty = "no formula was run yet";
  printRows(deps, sorted, { columns: columns(deps), json: options.json, empty });
}

const columns = (deps: Deps): Column<FormulaRunView>[] => [
  { title: "run", tty: ({ id }) => id },
  { title: "state", tty: ({ state }) => stateText(deps, state), pipe: ({ state }) => state },
  { title: "steps", tty: ended, align: "right" },
  { title: "reason", tty: ({ reason }) => harmless(reason ?? ""), widthMin: 15 },
  { title: "by", tty: ({ by }) => by },
  { title: "begun", tty: (run) => when(deps, run.requested_at) },
];

function ended({ steps }: FormulaRunView): string {
  const open = ["waiting", "running", "retrying"];
  return `${steps.filter(({ status }) => !open.includes(status)).length}/${steps.length}`;
}

function stateText(deps: Deps, state: FormulaRunView["state"]): string {
  if (state === "failed") return paint(deps, "red", state);
  return state === "done" ? paint(deps, "green", state) : state;
}

async function showRun(deps: Deps, named: string, options: Drawn): Promise<void> {
  const path = `/v1/formulas/runs/${encodeURIComponent(named)}`;
  const run = await deps.client.get<FormulaRunView>(path);
  if (options.json === true) {
    printJson(deps, run);
    return;
  }
  if (options.dot === true) {
    deps.stdout(dotOf(run.id, run.steps));
    return;
  }
  const reason = run.reason === null ? "" : `: ${plainSpans(harmless(run.reason))}`;
  inSentences(deps).stdout(
    `${paint(deps, "bold", run.id)} is ${stateText(deps, run.state)}${reason} · begun ${when(deps, run.requested_at)} by ${run.by}\n\n`,
  );
  deps.stdout(drawPlan(deps, run.steps, run.waves));
}

export async function stopRun(deps: Deps, id: string): Promise<void> {
  const path = `/v1/formulas/runs/${encodeURIComponent(id)}/stop`;
  const run = await deps.client.post<FormulaRunView>(path, { by: deps.user });
  deps.stderr(`${run.id} is stopped\n`);
}
