// The agent of each project can be started: its program is found where Pawl will look for it, and is
// new enough.
import { join } from "node:path";
import { runtimeNamed } from "../../../adapters/runtimes.ts";
import { findProgram } from "../../../config/find-program.ts";
import type { Project } from "../../../core/project/project.ts";
import { toolEnvironment } from "../../host/environment.ts";
import type { Ports } from "../../engine/ports.ts";
import type { Check, Trouble } from "../check.ts";

export const agentsCheck: Check = {
  id: "agents",
  title: "the agent of each project can be started and is new enough",
  run: async ({ projects, ports }) =>
    (await Promise.all((await projects()).map((project) => look(project, ports)))).flat(),
};

async function look(project: Project, ports: Ports): Promise<Trouble[]> {
  const missing = await lookForProgram(project);
  if (missing.length > 0 || project.config === undefined) return missing;
  const { runtime, command } = project.config.agent;
  const env = programEnvironment();
  const problems = (await ports.agent(runtime).problems?.({ command, env })) ?? [];
  return problems.map((what) => ({ key: `${project.name} ${what}`, what }));
}

function programEnvironment(): Record<string, string> {
  const { PATH = "/usr/bin:/bin", HOME = "/" } = toolEnvironment();
  return { PATH, HOME };
}

async function lookForProgram({ name, config, root }: Project): Promise<Trouble[]> {
  if (config === undefined) return [];
  const { command, runtime } = config.agent;
  const program = command[0] ?? runtimeNamed(runtime)?.program;
  if (program === undefined) return [];
  const found = await findProgram(program, { root, path: toolEnvironment()["PATH"] });
  if (found !== undefined) return [];
  return [
    {
      key: `${name} ${program}`,
      what: `project ${name}: its agent "${program}" is not found`,
      hint: `install it, or fix [agent] command in ${join(root, "pawl.toml")}`,
    },
  ];
}
