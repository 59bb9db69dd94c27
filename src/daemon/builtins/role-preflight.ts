// `builtin = "role-preflight"`: what there is for a standing role to judge. Its output is empty where
// there is nothing, so that `when = "steps.preflight.output"` starts no session.
import { preflight } from "../../core/roles/preflight.ts";
import { isStandingRole } from "../../core/roles/result.ts";
import { unanswered } from "../../core/roles/round.ts";
import { collectFacts } from "../roles/collect-facts.ts";
import { recall } from "../roles/memory.ts";
import type { Builtin } from "./builtin.ts";

const FINDINGS_MAX = 30;
const ISSUES_MAX = 20;
const BODY_MAX = 700;

export const rolePreflight: Builtin = {
  summary: "what there is for the `role` to judge; empty where there is nothing",
  run: async (context) => {
    const role = context.with["role"] ?? "";
    if (!isStandingRole(role)) {
      return { kind: "failed", problem: `there is no standing role "${role}"`, output: "" };
    }
    const { facts, open } = await collectFacts(context);
    const memory = await recall(context.store, context.project, role);
    const findings = unanswered(preflight(role, facts), memory, facts.at).slice(0, FINDINGS_MAX);
    if (findings.length === 0) return { kind: "done", output: "" };
    const named = new Set(
      findings.flatMap(({ text }) => [...text.matchAll(/#(\d+)/g)].map(([, number]) => number)),
    );
    const issues = open
      .filter(({ number }) => named.has(String(number)))
      .slice(0, ISSUES_MAX)
      .map(({ number, title, labels, author, body }) => ({
        number,
        title,
        labels,
        author,
        body: body.slice(0, BODY_MAX),
      }));
    const titles = open.map(({ number, title }) => `#${number} ${title}`).slice(0, 200);
    return { kind: "done", output: JSON.stringify({ findings, issues, open: titles }, null, 1) };
  },
};
