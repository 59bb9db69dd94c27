// Effects of actions: the issue is claimed and read, and what it wants done is found out.
import type { ActionWork } from "../../core/action/action.ts";
import {
  actionBrief,
  actionContext,
  mayNotInstruct,
  type ActionText,
} from "../../core/words/action.ts";
import { resolveFormula } from "../../core/formula/resolve.ts";
import { LABELS, type Issue } from "../../core/issue.ts";
import { ACTION_LIMITS } from "../../core/task.ts";
import { mayInstruct } from "../../core/trust.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { readFrontMatter } from "../action/front-matter.ts";
import { commentsBefore } from "./comments-before.ts";
import { ownAccounts } from "../observing/own-accounts.ts";
import { currentProject, type EffectContext, type Executors } from "./executor.ts";

export const actionEffects: Executors<"begin-action"> = {
  "begin-action": async ({ issue: number, claim }, context) => {
    const { forge } = context.own;
    const lost = (why: string) => ({ kind: "action-lost", at: context.now(), why }) as const;
    // What was seen may be old: an issue that is settled meanwhile is not begun again.
    const issue = await forge.issue(number);
    if (issue === undefined || issue.state === "closed") return lost("it is closed");
    if (issue.labels.includes(LABELS.blocked)) return lost("it is blocked");
    const claimed = await forge.claim(number, claim);
    if (claimed.kind === "lost") return lost(claimed.why);
    const work = await workOf(issue, context);
    return { kind: "action-begun", at: context.now(), work };
  },
};

async function workOf(issue: Issue, context: EffectContext): Promise<ActionWork> {
  const { config } = await currentProject(context);
  try {
    const isOwn = (await ownAccounts(context.own.forge)).has(issue.author);
    if (config === undefined || !(isOwn || mayInstruct(config, issue.author))) {
      return { kind: "unclear", problem: mayNotInstruct(issue.author) };
    }
    const { formula: name, vars, model, rest } = readFrontMatter(issue.body);
    const text = await textOf(issue, rest, context);
    if (name === undefined) {
      const { actionLifeMs: lifeMs, actionIdleMs: idleMs } = config.limits;
      const limits = {
        lifeMs: lifeMs ?? ACTION_LIMITS.lifeMs,
        idleMs: idleMs ?? ACTION_LIMITS.idleMs,
      };
      return { kind: "task", brief: actionBrief(text), model, limits };
    }
    const { root } = await currentProject(context);
    const { formula, source } = await context.findFormula({ root, own: context.own }, name);
    const resolved = resolveFormula({ ...formula, model: model ?? formula.model }, vars);
    if (resolved.kind === "unresolved") {
      return { kind: "unclear", problem: resolved.problems.join("\n") };
    }
    const { formula: filled, vars: values } = resolved;
    return { kind: "formula", formula: filled, vars: values, source, context: actionContext(text) };
  } catch (error) {
    // It is claimed already: what cannot be had for good is answered on the issue, as its own
    // mistakes are; anything else is tried again.
    if (!(error instanceof OperationError) || error.retryable) throw error;
    const hint = error.hint === undefined ? "" : `\nhint: ${error.hint}`;
    return { kind: "unclear", problem: `${error.message}${hint}` };
  }
}

/** Words of those who may instruct are part of the operation; everybody else's are data. */
async function textOf(issue: Issue, body: string, context: EffectContext): Promise<ActionText> {
  const { number, title, author } = issue;
  const { config } = await currentProject(context);
  const said = await commentsBefore(context.own.forge, number);
  const comments = said.map((one) => ({
    ...one,
    instructs: config !== undefined && mayInstruct(config, one.author),
  }));
  return { issue: number, title, body, author, comments };
}
