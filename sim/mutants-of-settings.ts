// Bugs around a pawl.toml that changes while the factory runs, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const SETTINGS_MUTANTS: Mutant[] = [
  {
    name: "the queue keeps the gates that it knew",
    proves: "(b) what lands has passed the gates of the pawl.toml on the target",
    by: ["proven-target"],
    file: "src/core/merge-queue/survey.ts",
    from: `  const next: Queue = { ...queue, policy: event.policy };`,
    to: `  const next: Queue = { ...queue, policy: queue.policy ?? event.policy };`,
  },
  {
    name: "an invalid pawl.toml is not noted",
    proves: "an invalid pawl.toml is shown to people",
    by: ["settings"],
    file: "src/core/project/step-project.ts",
    from: `      return { ...project, configProblem: event.problem };`,
    to: `      return project;`,
  },
  {
    name: "a repaired pawl.toml is still called invalid",
    proves: "a valid pawl.toml counts again",
    by: ["settings"],
    file: "src/core/project/step-project.ts",
    from: `  const configured = { ...project, config, configSource, configHash, configProblem: undefined };`,
    to: `  const configured = { ...project, config, configSource, configHash };`,
  },
];
