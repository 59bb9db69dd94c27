// What simulated projects do by themselves: every twenty minutes a command, without an agent.
import type { Formula } from "../src/core/formula/formula.ts";
import type { Schedule } from "../src/core/schedule/schedule.ts";

const MINUTE_MS = 60_000;
export const CHORE_EVERY_MS = 20 * MINUTE_MS;

export const choreFormula = (): Formula => ({
  name: "chore",
  description: "",
  version: 1,
  model: undefined,
  contextFiles: [],
  vars: [],
  steps: [
    {
      id: "sweep",
      title: "Sweep",
      description: "",
      needs: [],
      action: { kind: "run", command: { kind: "argv", argv: ["sweep"] } },
      when: undefined,
      timeoutMs: 10 * MINUTE_MS,
      retries: 0,
    },
  ],
});

/** A plugin that sweeps an hour after it last has. */
export const chorePlugin = (): { path: string; text: string }[] => [
  {
    path: "sweep/plugin.md",
    text: "---\ngate: {type: cooldown, duration: 1 h}\nrun: [sweep]\n---\n",
  },
];

export const choreSchedule = (): Schedule => ({
  name: "chore",
  when: { kind: "every", everyMs: CHORE_EVERY_MS },
  work: { kind: "formula", formula: "chore" },
  enabled: true,
  jitterMs: 5 * MINUTE_MS,
  leaseMs: 60 * MINUTE_MS,
  memoryMb: 2000,
});
