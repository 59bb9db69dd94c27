// `builtin = "role-alarm"`: tells the operator what a preflight found to be pressing, without a model:
// memory, disk, a factory that stands still. The same news is told once a day.
import type { Finding } from "../../core/roles/facts.ts";
import { foundBy } from "../roles/found-by.ts";
import type { Builtin } from "./builtin.ts";

const DAY_MS = 86_400_000;
const PRESSING: Partial<Record<Finding["level"], "urgent" | "warning">> = {
  P0: "urgent",
  P1: "urgent",
  P2: "warning",
};

export const roleAlarm: Builtin = {
  summary: "tells the operator what the preflight found to be pressing (P0 to P2)",
  run: async ({ run, with: inputs, ports, project, now }) => {
    const day = Math.floor(now() / DAY_MS);
    const told: string[] = [];
    for (const { level, name, text } of foundBy(run, inputs["preflight"] ?? "preflight")) {
      const severity = PRESSING[level];
      if (severity === undefined) continue;
      const title = `${project}: ${text}`;
      await ports.notifier.notify({
        key: `alarm:${project}:${name}:${day}`,
        severity,
        title,
        body: `${level}: ${text}`,
        project,
      });
      told.push(`${level}: ${text}`);
    }
    return { kind: "done", output: told.join("\n") };
  },
};
