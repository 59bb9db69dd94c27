// `builtin = "role-apply"`: carries out the answer of a standing role, each change once and with what
// would undo it. The answer was checked when the agent gave it; the issues may have changed since.
import { createHash } from "node:crypto";
import { gateAggregate } from "../../core/ids.ts";
import { LABELS, type Issue } from "../../core/issue.ts";
import { plan, type Operation } from "../../core/roles/operations.ts";
import {
  isStandingRole,
  readResult,
  type RoleResult,
  type StandingRole,
} from "../../core/roles/result.ts";
import { answered, gather } from "../../core/roles/round.ts";
import { resultOf } from "../../core/formula/run.ts";
import { oneLine } from "../../lib/one-line.ts";
import { foundBy } from "../roles/found-by.ts";
import { recall, remember } from "../roles/memory.ts";
import { keepRound, roundAt, type Round } from "../roles/rounds.ts";
import type { Builtin, BuiltinContext } from "./builtin.ts";

export const roleApply: Builtin = {
  summary: "carries out what the `role` answered in the step `from`",
  run: async (context) => {
    const { store, project } = context;
    const key = onceKey(context);
    const role = context.with["role"] ?? "";
    if (!isStandingRole(role)) {
      return { kind: "failed", problem: `there is no standing role "${role}"`, output: "" };
    }
    const text = resultOf(context.run, context.with["from"] ?? "")?.output ?? "";
    const read = readResult(role, text);
    if (read.kind === "problem") return { kind: "failed", problem: read.problem, output: "" };
    const open = await context.own.forge.issues({ state: "open" });
    const at = context.now();
    const known = await recall(store, project, role);
    const { memory, bundles } = gather(known, read.result.dust, { at, open });
    const findings = foundBy(context.run, context.with["preflight"] ?? "preflight");
    const { id: formula, cycle } = context.run;
    const fresh = plan(read.result, bundles, { role, issues: open });
    // What an earlier attempt began is brought to its end as it was planned.
    const { operations: planned, left } = fresh;
    const begun = { at, role, formula, cycle, findings, answer: text, planned, left, done: [] };
    const round: Round = (await roundAt(store, { project, key })) ?? begun;
    await keepRound(store, { project, key }, round);
    const done: string[] = [];
    for (const operation of round.planned) {
      // The attempt is cancelled: a later attempt, if there is one, carries out the rest.
      if (context.signal.aborted) return { kind: "failed", problem: "cancelled", output: "" };
      done.push(await carryOut(operation, { ...context, taken: takenOf(open) }));
    }
    await ask(read.result, role, context);
    await keepRound(store, { project, key }, { ...round, done });
    await remember(store, { project, role }, answered(memory, findings, at));
    const output = [read.result.summary, ...done, ...round.left].join("\n").trim();
    return { kind: "done", output };
  },
};

/** They are being worked on, and must not be changed. */
const takenOf = (open: Issue[]): ReadonlySet<number> =>
  new Set(
    open.flatMap(({ number, labels }) => (labels.includes(LABELS.inProgress) ? [number] : [])),
  );

/**
 * Each question is a gate, so that it stands where people look for questions until one answers; the
 * answer is a letter to the role. The same question again is the same gate.
 */
async function ask(
  { questions }: RoleResult,
  role: StandingRole,
  context: BuiltinContext,
): Promise<void> {
  const { ports, project } = context;
  for (const [index, asked] of questions.entries()) {
    const question = ports.redact(asked);
    const id = `${role}-asks-${createHash("sha256").update(question).digest("hex").slice(0, 8)}`;
    await context.submit({
      to: gateAggregate(project, id),
      event: {
        kind: "gate-requested",
        at: context.now(),
        project,
        id,
        key: `${onceKey(context)}:question-${index + 1}`,
        spec: { kind: "human", question, anyText: true },
        title: `${role} asks: ${oneLine(question)}`,
        by: role,
        waiters: [{ kind: "identity", identity: role }],
        escalateMs: undefined,
      },
    });
  }
}

/** The same at every attempt at this step: what one of them made is not made again. */
const onceKey = ({ project, run, step }: BuiltinContext): string =>
  `formula:${project}/${run.id}#${run.cycle}:${step}`;

async function carryOut(
  operation: Operation,
  context: BuiltinContext & { taken: ReadonlySet<number> },
): Promise<string> {
  const { forge } = context.own;
  const redact = (text: string): string => context.ports.redact(text);
  const key = `${onceKey(context)}:${operation.name}`;
  const author = "pawl";
  switch (operation.kind) {
    case "create-issue": {
      const { labels, undo } = operation;
      const title = redact(operation.title);
      const body = redact(operation.body);
      const { number } = await forge.createIssue({ title, body, labels, key, author });
      return `made #${number} "${title}" (to undo: ${undo})`;
    }
    case "comment":
      await forge.comment({ issue: operation.issue, body: redact(operation.body), author, key });
      return `commented on #${operation.issue} (to undo: ${operation.undo})`;
    case "edit-issue": {
      const { issue, addLabels, removeLabels, body, close, undo } = operation;
      if (context.taken.has(issue)) return `left #${issue} as it is: it is being worked on`;
      await forge.editIssue(issue, {
        addLabels,
        removeLabels,
        ...(body === undefined ? {} : { body: redact(body) }),
        ...(close ? { state: "closed" as const } : {}),
      });
      return `changed #${issue}${close ? " (closed)" : ""} (to undo: ${undo})`;
    }
  }
}
