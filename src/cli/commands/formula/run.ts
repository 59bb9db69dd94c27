// `pawl formula run`: begins a run and shows its steps as they end. With a daemon it watches the
// daemon; without one it works itself, for as long as it is there.
import { resolvedPlan } from "../../../api/formula-plan.ts";
import type {
  FiledIssueView,
  FormulaRunView,
  FormulaView,
  StepRunView,
} from "../../../api/formulas.ts";
import { plainSpans } from "../../../api/spans.ts";
import type { AtWork } from "../../client.ts";
import { EXIT, type Deps, type ExitCode } from "../../deps.ts";
import { usage } from "../../options.ts";
import { printJson } from "../../output/rows.ts";
import { harmless, paint } from "../../output/text.ts";
import { wrapped } from "../../output/wrap.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { formulaIn, isFile, readFormulaFile } from "./file.ts";
import { printPlan } from "./look.ts";

type Options = {
  var: Record<string, string>;
  dryRun?: true | undefined;
  detach?: true | undefined;
  asIssue?: true | undefined;
  json?: true | undefined;
};

export async function runFormula(deps: Deps, name: string, options: Options): Promise<ExitCode> {
  if (options.dryRun === true) {
    printPlan(deps, await resolved(deps, name, options.var), options);
    return EXIT.ok;
  }
  if (options.asIssue === true) return fileIssue(deps, name, options);
  const source = isFile(name) ? await readFormulaFile(deps, name) : { name };
  const run = await deps.client.post<FormulaRunView>("/v1/formulas/runs", {
    ...source,
    vars: options.var,
    key: deps.newKey(),
    by: deps.user,
  });
  if (options.detach === true) {
    if (options.json === true) printJson(deps, run);
    else deps.stdout(`${run.id}\n`);
    await noteWhoActs(deps, "`pawl up`, or `pawl run`,");
    return EXIT.ok;
  }
  deps.stderr(`${paint(deps, "dim", `run ${run.id}`)}\n`);
  const agents = run.steps.some(({ kind }) => kind === "agent");
  if (agents && !(await deps.client.daemonRuns())) {
    deps.stderr("some of its steps need agents: start them with `pawl up` or `pawl run`\n");
    return EXIT.pending;
  }
  const work = await deps.client.formulaAtWork(run.id);
  try {
    return await follow(deps, work, options);
  } finally {
    await work.close();
  }
}

async function fileIssue(deps: Deps, name: string, options: Options): Promise<ExitCode> {
  if (isFile(name)) {
    throw usage(
      "an issue can only name a formula that the project has",
      "commit it as .pawl/formulas/NAME.toml",
    );
  }
  const filed = await deps.client.post<FiledIssueView>("/v1/formulas/issues", {
    name,
    vars: options.var,
    key: deps.newKey(),
    by: deps.user,
  });
  if (options.json === true) printJson(deps, filed);
  else deps.stdout(`${filed.number}\n`);
  deps.stderr(
    filed.made ? `filed #${filed.number}\n` : `issue #${filed.number} already asks for it\n`,
  );
  return EXIT.ok;
}

async function resolved(
  deps: Deps,
  name: string,
  vars: Record<string, string>,
): Promise<FormulaView> {
  if (!isFile(name)) {
    const query = new URLSearchParams({ vars: JSON.stringify(vars) });
    const path = `/v1/formulas/plan/${encodeURIComponent(name)}?${query.toString()}`;
    return deps.client.get<FormulaView>(path);
  }
  const plan = resolvedPlan(await formulaIn(deps, name), { vars, source: name });
  if (plan.kind === "unresolved") throw usage(plan.problems.join("\n"));
  return plan.view;
}

async function follow(
  deps: Deps,
  work: AtWork<FormulaRunView>,
  options: Options,
): Promise<ExitCode> {
  const told = new Set<string>();
  for (;;) {
    const view = await work.view();
    if (options.json !== true) tellNews(deps, view, told);
    if (view.state !== "running") return finished(deps, view, options);
    await work.changed();
  }
}

/** A line for each step that has ended since the last look. */
function tellNews(deps: Deps, view: FormulaRunView, told: Set<string>): void {
  for (const step of view.steps) {
    const mark = MARKS[step.status];
    const key = `${step.id} ${step.status} ${step.attempt}`;
    if (mark === undefined || told.has(key)) continue;
    told.add(key);
    const [sign, style] = mark;
    const why = step.problem === null ? "" : `: ${plainSpans(harmless(step.problem))}`;
    deps.stdout(wrapped(deps, `${paint(deps, style, sign)} ${step.id}${why}\n`));
  }
}

const MARKS: Partial<
  Record<StepRunView["status"], [sign: string, style: Parameters<typeof paint>[1]]>
> = {
  done: ["✓", "green"],
  failed: ["✗", "red"],
  retrying: ["↻", "yellow"],
  skipped: ["–", "dim"],
};

/** 8 where it waits for something that only time or a person can bring. */
function finished(deps: Deps, view: FormulaRunView, options: Options): ExitCode {
  if (options.json === true) printJson(deps, view);
  if (view.state === "waiting") {
    const gates = view.steps.flatMap(({ gate }) => gate ?? []);
    deps.stderr(`${view.id} waits at ${gates.map((gate) => `gate ${gate}`).join(", ")}\n`);
    deps.stderr("`pawl gate list` shows its condition; `pawl gate close` closes it\n");
    return EXIT.pending;
  }
  if (view.state === "done") deps.stderr(`${view.id} is done\n`);
  else deps.stderr(`${view.id} ${view.state}: ${harmless(view.reason ?? "")}\n`);
  return view.state === "done" ? EXIT.ok : EXIT.failed;
}
