// `builtin = "role-alarm"`: what the supervisor does without a model. It tells the operator what is
// pressing, whether or not a model was asked about it lately, and has the doctor clean up where that
// can help. The same news is told once a day.
import type { Finding } from "../../core/roles/facts.ts";
import { preflight } from "../../core/roles/preflight.ts";
import { collectFacts } from "../roles/collect-facts.ts";
import type { Builtin } from "./builtin.ts";

const DAY_MS = 86_400_000;
const PRESSING: Partial<Record<Finding["level"], "urgent" | "warning">> = {
  P0: "urgent",
  P1: "urgent",
  P2: "warning",
};
/** What leftovers may be the cause of. */
const FIXABLE: readonly Finding["level"][] = ["P0", "P1", "P4"];

export const roleAlarm: Builtin = {
  summary: "tells the operator what is pressing (P0 to P2), and has the doctor clean up",
  run: async (context) => {
    const { ports, project, now } = context;
    const { facts } = await collectFacts(context, "supervisor");
    const findings = preflight("supervisor", facts);
    const day = Math.floor(now() / DAY_MS);
    const told: string[] = [];
    for (const { level, name, text } of findings) {
      told.push(`${level}: ${text}`);
      const severity = PRESSING[level];
      if (severity === undefined) continue;
      const title = `${project}: ${text}`;
      const body = `${level}: ${text}`;
      const key = `alarm:${project}:${name}:${day}`;
      await ports.notifier.notify({ key, severity, title, body, project });
    }
    if (findings.some(({ level }) => FIXABLE.includes(level))) told.push(await context.fix());
    return { kind: "done", output: told.join("\n") };
  },
};
