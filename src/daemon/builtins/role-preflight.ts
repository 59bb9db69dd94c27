// `builtin = "role-preflight"`: what there is for a standing role to judge. Its output is empty where
// there is nothing, so that `when = "steps.preflight.output"` starts no session.
import type { Finding, RoleFacts } from "../../core/roles/facts.ts";
import { preflight } from "../../core/roles/preflight.ts";
import { isStandingRole, type StandingRole } from "../../core/roles/result.ts";
import { unanswered } from "../../core/roles/round.ts";
import { agentsUpkeep } from "../../core/roles/upkeep.ts";
import type { Issue } from "../../core/issue.ts";
import { ownAccounts } from "../observing/own-accounts.ts";
import { collectFacts } from "../roles/collect-facts.ts";
import { oneLine } from "../../lib/one-line.ts";
import { recall } from "../roles/memory.ts";
import { snapshotOf } from "../roles/snapshot.ts";
import type { Builtin, BuiltinContext } from "./builtin.ts";

const FINDINGS_MAX = 30;
const ISSUES_MAX = 20;
const BODY_MAX = 700;

export const rolePreflight: Builtin = {
  summary:
    "what there is for the `role` to judge (`of` = issues or agents-file); empty if there is nothing",
  run: async (context) => {
    const role = context.with["role"] ?? "";
    if (!isStandingRole(role)) {
      return { kind: "failed", problem: `there is no standing role "${role}"`, output: "" };
    }
    const { facts, open } = await collectFacts(context, role);
    const memory = await recall(context.store, context.project, role);
    const all = found(role, context.with["of"] ?? "issues", facts);
    const findings = unanswered(all, memory, facts.at).slice(0, FINDINGS_MAX);
    if (findings.length === 0) return { kind: "done", output: "" };
    const known = {
      findings,
      ...named(findings, open),
      ...(await diagnostics(findings, open, context)),
      ...(role === "supervisor" ? { factory: await snapshotOf(context, facts, open) } : {}),
      ...(await more(role, context)),
    };
    return { kind: "done", output: JSON.stringify(known, null, 1) };
  },
};

const found = (role: StandingRole, of: string, facts: RoleFacts): Finding[] =>
  of === "agents-file" ? agentsUpkeep(facts.agents) : preflight(role, facts);

/** The issues that findings name, with the beginning of their text, and the titles of all. */
function named(findings: Finding[], open: Issue[]) {
  const numbers = new Set(
    findings.flatMap(({ text }) => [...text.matchAll(/#(\d+)/g)].map(([, number]) => number)),
  );
  const issues = open
    .filter(({ number }) => numbers.has(String(number)))
    .slice(0, ISSUES_MAX)
    .map(({ number, title, labels, author, body }) => ({
      number,
      title,
      labels,
      author,
      body: body.slice(0, BODY_MAX),
    }));
  return { issues, open: open.map(({ number, title }) => `#${number} ${title}`).slice(0, 200) };
}

const BLOCKED_MAX = 10;
const DIAGNOSTIC_MAX = 3000;

/** What Pawl wrote when it gave an issue up: the reason, and the end of the failure. */
async function diagnostics(findings: Finding[], open: Issue[], { own }: BuiltinContext) {
  const blocked = open.filter(({ number }) =>
    findings.some(({ name }) => name === `blocked:${number}`),
  );
  if (blocked.length === 0) return {};
  const accounts = await ownAccounts(own.forge);
  const found: { issue: number; diagnostic: string }[] = [];
  for (const { number } of blocked.slice(0, BLOCKED_MAX)) {
    const said = (await own.forge.comments(number)).findLast(
      (comment) => comment.own === true || accounts.has(comment.author),
    );
    if (said !== undefined) {
      found.push({ issue: number, diagnostic: said.body.slice(0, DIAGNOSTIC_MAX) });
    }
  }
  return found.length === 0 ? {} : { diagnostics: found };
}

/** A planner may ask for an operation only by a formula that there is. */
async function more(role: StandingRole, context: BuiltinContext) {
  if (role !== "planner") return {};
  const formulas = await context.formulas();
  return {
    formulas: formulas.map(
      ({ name, description }) => `${name}: ${oneLine(description).slice(0, 200)}`,
    ),
  };
}
