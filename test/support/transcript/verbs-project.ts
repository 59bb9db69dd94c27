// `project`, `issues`, `pause`, `resume`: a project, its configuration and its backlog.
import type { ProjectConfig } from "../../../src/core/config.ts";
import { projectAggregate, projectName } from "../../../src/core/ids.ts";
import type { IssueFacts } from "../../../src/core/project/backlog.ts";
import { testConfig } from "../config.ts";
import type { Command } from "./transcript.ts";
import { submit, type World } from "./world.ts";

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
  },

  /** `issues 42 "43 priority" "44 waits 42"`: the whole open backlog, as the forge shows it. */
  issues: (world: World, { words }: Command): void => {
    const issues = words.slice(1).map((text) => issueFacts(text));
    submit(world, PROJECT, { kind: "issues-observed", at: world.now, issues });
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
