// Standing roles: no session without a finding, the same finding is judged once a week at most, a
// round makes no more issues than its role may, predictions are nothing else, and nothing is said
// twice. Counted by what is on the forge and in the journal.
import { LABELS } from "../../src/core/issue.ts";
import type { FormulaRun } from "../../src/core/formula/run.ts";
import type { Fact } from "../fact.ts";
import { STRANGER } from "../config.ts";
import { SAID } from "../roles.ts";
import { stepKind } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const WEEK_MS = 7 * 86_400_000;
/** People move the clock by some hours. */
const SLACK_MS = 86_400_000;
const ISSUES_MAX: Record<string, number> = {
  "run-gardener": 5,
  "run-supervisor": 0,
  "run-planner": 5,
  "run-predictor": 5,
};

export const roles = (world: World): Checker => new Roles(world);

class Roles implements Checker {
  readonly name = "roles";
  readonly #world: World;
  /** By round: how many issues its changes have made. */
  readonly #made = new Map<string, number>();
  /** By project, role and finding: when an agent had judged it. */
  readonly #judged = new Map<string, number>();
  readonly #formulaOf = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "forge-made" && fact.what === "comment") this.#said(fact);
    if (fact.kind === "forge-made" && fact.what === "issue") this.#filed(fact);
    if (fact.kind !== "journaled") return;
    for (const { id, state } of fact.journaled.states) {
      if (state.kind !== "formula" || ISSUES_MAX[state.formula.name] === undefined) continue;
      this.#formulaOf.set(id, state.formula.name);
      this.#round(state);
    }
  }

  #round(run: FormulaRun): void {
    for (const step of run.formula.steps) {
      if (step.action.kind !== "agent" || stepKind(run, step.id) !== "running") continue;
      const [found] = step.needs.includes("agents-check") ? ["agents-check"] : ["preflight"];
      if (namesIn(run, found ?? "").length === 0) {
        this.#fail(`${step.id} of ${run.project}/${run.id} has a session, and nothing was found`);
      }
    }
    this.#checkWeek(run);
  }

  #checkWeek(run: FormulaRun): void {
    const keyOf = (name: string): string => `${run.project} ${run.formula.name} ${name}`;
    const preflight = run.steps["preflight"];
    const names = namesIn(run, "preflight");
    const apply = run.formula.steps.find(
      ({ action }) => action.kind === "builtin" && action.name === "role-apply",
    );
    const applied = apply === undefined ? undefined : run.steps[apply.id];
    if (applied?.kind === "done") {
      for (const name of names) this.#judged.set(keyOf(name), applied.at);
    } else if (preflight?.kind === "done") {
      const again = names.find((name) => {
        const judged = this.#judged.get(keyOf(name));
        return judged !== undefined && preflight.at - judged < WEEK_MS - SLACK_MS;
      });
      if (again !== undefined) {
        this.#fail(`${again} is put before ${run.project}/${run.id} again within a week`);
      }
    }
  }

  #filed({ project, mark }: { project: string; mark: string }): void {
    const [, of = "", change] = /^(formula:.*#\d+):[^:]+:(\w+)-/.exec(mark) ?? [];
    const formula = this.#formulaOf.get(of.replace(/#\d+$/, ""));
    if (formula === undefined) return;
    if (formula === "run-predictor") this.#checkPrediction(project);
    if (change !== "change") return;
    const count = (this.#made.get(of) ?? 0) + 1;
    this.#made.set(of, count);
    const max = ISSUES_MAX[formula] ?? 0;
    if (count > max) this.#fail(`${of} has made ${count} issues, and ${max} are allowed`);
  }

  #checkPrediction(project: string): void {
    const found = [...this.#world.projects.values()].find(({ name }) => name === project);
    const newest = [...(found?.forge.issueByNumber.values() ?? [])].at(-1);
    if (newest === undefined || newest.labels.join() === LABELS.predictionUnreviewed) return;
    this.#fail(`#${newest.number} of ${project} is a prediction with ${newest.labels.join()}`);
  }

  #said({ project, mark }: { project: string; mark: string }): void {
    const issue = Number(mark.split(" ", 1)[0]);
    const found = [...this.#world.projects.values()].find(({ name }) => name === project);
    const bodies = (found?.forge.commentsOf.get(issue) ?? [])
      .filter(({ author }) => author !== STRANGER)
      .map(({ body }) => body)
      .filter((body) => body.startsWith("ROLE ") && SAID.test(body));
    if (new Set(bodies).size < bodies.length) {
      this.#fail(`the same was said twice on #${issue} of ${project}: ${bodies.at(-1)}`);
    }
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}

function namesIn(run: FormulaRun, step: string): string[] {
  const state = run.steps[step];
  const output = state !== undefined && "output" in state ? state.output : "";
  if (output === "") return [];
  return (JSON.parse(output) as { findings: { name: string }[] }).findings.map(({ name }) => name);
}
