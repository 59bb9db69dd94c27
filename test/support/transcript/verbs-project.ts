// `project`, `issues`, `pause`, `resume`: a project, its configuration and its backlog.
import type { ProjectConfig } from "../../../src/core/config.ts";
import { projectAggregate, projectName, runAggregate } from "../../../src/core/ids.ts";
import { newsOf, type IssueFacts } from "../../../src/core/project/backlog.ts";
import { step } from "../../../src/core/step.ts";
import type { Task } from "../../../src/core/task.ts";
import { testConfig } from "../config.ts";
import type { Command } from "./transcript.ts";
import { currentRun, submit, type World } from "./world.ts";

const NAME = projectName("toy");
const PROJECT = projectAggregate(NAME);

export const project = {
  /** `project parallel=2 review=required`: registered and configured. */
  project: (world: World, { options }: Command): void => {
    const upstream = { kind: "local", path: "/toy" } as const;
    const registered = { kind: "project-registered", name: NAME, root: "/toy", upstream } as const;
    submit(world, PROJECT, { ...registered, at: world.now });
    const config: ProjectConfig = {
      ...testConfig(),
      parallel: Number(options["parallel"] ?? 3),
      review: { required: options["review"] === "required" },
      ...budget(options),
    };
    submit(world, PROJECT, {
      kind: "project-configured",
      at: world.now,
      config,
      source: "pawl.toml",
    });
    // Told elsewhere: the gate passes on the target.
    const known = step(PROJECT, world.states.get(PROJECT), {
      kind: "target-proven",
      at: world.now,
    });
    if (known.state !== undefined) world.states.set(PROJECT, known.state);
  },

  /** `issues 42 "43 priority" "44 waits 42"`: the whole open backlog, as the forge shows it. */
  issues: (world: World, { words }: Command): void => {
    const issues = words.slice(1).map((text) => issueFacts(text));
    const known = world.states.get(PROJECT);
    const news = newsOf(known?.kind === "project" ? known.backlog : [], issues);
    submit(world, PROJECT, { kind: "issues-observed", at: world.now, ...news });
  },

  /** `task review 17 output=result`: asked for by the project itself, so that the story can judge. */
  task: (world: World, { words, options }: Command): void => {
    const [, role = "review", name = "17"] = words;
    const output = (options["output"] ?? "result") as Task["output"];
    const task: Task = {
      by: PROJECT,
      key: options["key"] ?? `${role}-${name}`,
      role: role as Task["role"],
      name,
      title: `Task ${name}`,
      brief: "Do it.",
      output,
      at: { kind: "target" },
    };
    submit(world, PROJECT, { kind: "task-requested", at: world.now, task });
  },

  /** `asker accepts`, `asker refuses "no verdict"`, `asker withdraws`. */
  asker: (world: World, { words }: Command): void => {
    const run = currentRun(world);
    const { work } = run;
    if (work.kind !== "task") throw new Error("the current run has no task");
    const { key } = work.task;
    const at = world.now;
    const [, verb, text = ""] = words;
    const to = runAggregate(run.project, run.id);
    if (verb === "accepts") submit(world, to, { kind: "task-accepted", at, key });
    else if (verb === "refuses")
      submit(world, to, { kind: "task-refused", at, key, problem: text });
    else submit(world, PROJECT, { kind: "task-withdrawn", at, key, why: "no longer needed" });
  },

  pause: (world: World): void => {
    submit(world, PROJECT, { kind: "project-paused", at: world.now, by: "ada", why: "holiday" });
  },

  resume: (world: World): void => {
    submit(world, PROJECT, { kind: "project-resumed", at: world.now });
  },
};

/** `run=1000 day=5000`: budgets, in tokens. */
function budget({ run, day }: Record<string, string>): Pick<ProjectConfig, "budget"> {
  if (run === undefined && day === undefined) return {};
  const tokens = (text: string | undefined) =>
    text === undefined ? undefined : { tokens: Number(text) };
  return { budget: { run: tokens(run), day: tokens(day) } };
}

function issueFacts(text: string): IssueFacts {
  const [number = "", ...rest] = text.split(" ");
  const waits = rest.indexOf("waits");
  const labels = waits === -1 ? rest : rest.slice(0, waits);
  return {
    number: Number(number),
    title: `Issue ${number}`,
    labels: labels.some((label) => label === "in-progress") ? labels : ["backlog", ...labels],
    createdAt: Number(number),
    unmet: waits === -1 ? [] : rest.slice(waits + 1).map(Number),
  };
}
