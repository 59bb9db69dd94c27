// `builtin = "role-alarm"`: what the supervisor does without a model. What is pressing becomes a
// question that stands in `pawl status` until it is over or answered; the operator is told of what is
// urgent, once a day; and the doctor cleans up where that can help. A round that did something is kept.
import { gateAggregate } from "../../core/ids.ts";
import { isOpen, type Gate } from "../../core/gate/gate.ts";
import { alarmsOf } from "../../core/roles/alarms.ts";
import type { Finding } from "../../core/roles/facts.ts";
import { preflight } from "../../core/roles/preflight.ts";
import { collectFacts } from "../roles/collect-facts.ts";
import { keepRound } from "../roles/rounds.ts";
import type { Builtin, BuiltinContext } from "./builtin.ts";

const DAY_MS = 86_400_000;
const URGENT: readonly Finding["level"][] = ["P0", "P1"];
/**
 * What leftovers may be the cause of. An idle workspace is none: that of a blocked issue is kept for
 * weeks.
 */
const isFixable = ({ level, name }: Finding): boolean =>
  URGENT.includes(level) || name.startsWith("leftover:");

export const roleAlarm: Builtin = {
  summary: "notifies the operator of urgent findings (P0 to P2) and lets the doctor clean up",
  run: async (context) => {
    const { facts } = await collectFacts(context, "supervisor");
    const findings = preflight("supervisor", facts);
    const done = await raise(findings, context);
    await tell(findings, context);
    const told = findings.map(({ level, text }) => `${level}: ${withoutLevels(text)}`);
    if (findings.some(isFixable)) {
      const { fixed, note } = await context.fix();
      told.push(note);
      if (fixed > 0) done.push(note);
    }
    if (done.length > 0) await keep(findings, done, context);
    return { kind: "done", output: told.join("\n") };
  },
};

/** The formula asks for levels in the output: a title or a letter must not have them. */
const withoutLevels = (text: string): string => text.replaceAll(/\bP([0-4])\b/g, "P-$1");

/** What was raised or withdrawn now; an alarm that stands already is nothing new. */
async function raise(findings: Finding[], context: BuiltinContext): Promise<string[]> {
  const { store, project, submit } = context;
  const at = context.now();
  const stored = await store.aggregates({ project, kind: "gate" });
  const gates = stored.flatMap(({ state }) => (state.kind === "gate" ? [state] : []));
  const { raised, over } = alarmsOf(findings, gates.filter(isOpen), at);
  const isNew = ({ id, key }: { id: string; key: string }): boolean =>
    !gates.some((gate: Gate) => gate.id === id && (isOpen(gate) || gate.key === key));
  const fresh = raised.filter(isNew);
  for (const { id, key, title, question } of fresh) {
    await submit({
      to: gateAggregate(project, id),
      event: {
        kind: "gate-requested",
        at,
        project,
        id,
        key,
        spec: { kind: "human", question, anyText: true },
        title,
        by: "supervisor",
        waiters: [{ kind: "identity", identity: "supervisor" }],
        escalateMs: undefined,
      },
    });
  }
  for (const { id, key } of over) {
    const event = { kind: "gate-withdrawn", at, key, why: "it is over" } as const;
    await submit({ to: gateAggregate(project, id), event });
  }
  return [
    ...fresh.map(({ title }) => `asked what to do about ${title}`),
    ...over.map(({ title }) => `${title}: over`),
  ];
}

async function tell(findings: Finding[], { ports, project, now }: BuiltinContext): Promise<void> {
  const day = Math.floor(now() / DAY_MS);
  const urgent = findings.filter(({ level }) => URGENT.includes(level));
  for (const { level, name, text } of urgent) {
    const key = `alarm:${project}:${name}:${day}`;
    const title = `${project}: ${text}`;
    const body = `${level}: ${text}`;
    await ports.notifier.notify({ key, severity: "urgent", title, body, project });
  }
}

/** Without a model: there is no answer, and nothing that a later attempt would continue. */
async function keep(findings: Finding[], done: string[], context: BuiltinContext): Promise<void> {
  const { store, project, run, step } = context;
  const key = `formula:${project}/${run.id}#${run.cycle}:${step}`;
  const { id: formula, cycle } = run;
  const round = { at: context.now(), role: "supervisor", formula, cycle, findings } as const;
  await keepRound(store, { project, key }, { ...round, answer: "", planned: [], done, left: [] });
}
