// The agent of each project can work: its program is found where Pawl will look for it, is new enough,
// signed in and of a version that was tested.
import { join } from "node:path";
import { runtimeNamed } from "../../../adapters/runtimes.ts";
import { findProgram } from "../../../config/find-program.ts";
import type { Project } from "../../../core/project/project.ts";
import { programEnvironment, toolEnvironment } from "../../host/environment.ts";
import type { Paths } from "../../host/paths.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";
import { missingScript } from "../missing-script.ts";

export const agentsCheck: Check = {
  id: "agents",
  title: "the agent of each project: installed, signed in, tested version",
  run: async (asked) => lookAll(await asked.committed(), asked),
};

/** Of one project only, for a command that is about to work on it. */
export const agentCheckOf = (name: string): Check => ({
  ...agentsCheck,
  run: async (asked) =>
    lookAll(
      (await asked.committed()).filter((project) => project.name === name),
      asked,
    ),
});

type Asked = Pick<Inspection, "ports" | "paths">;

const lookAll = async (projects: Project[], asked: Asked): Promise<Trouble[]> =>
  (await Promise.all(projects.map((project) => look(project, asked)))).flat();

async function look(project: Project, { ports, paths }: Asked): Promise<Trouble[]> {
  const missing = [...(await lookForProgram(project)), ...(await lookForScript(project, paths))];
  if (missing.length > 0 || project.config === undefined) return missing;
  const { runtime, command } = project.config.agent;
  const agent = ports.agent(runtime);
  const env = programEnvironment(agent.passEnv ?? []);
  const [problems = [], findings = []] = await Promise.all([
    agent.problems?.({ command, env }),
    agent.inspect?.({ command, env }),
  ]);
  // With a gateway the login is there, and not in the agent's home, where the program looks for it.
  const isAsked = project.config.gateway === undefined;
  const known = findings.filter(({ isSignedOut }) => isAsked || isSignedOut !== true);
  const told = [...problems.map((what) => ({ what })), ...known];
  return told.map((one) => ({ key: `${project.name} ${one.what}`, ...one }));
}

async function lookForProgram({ name, config, root }: Project): Promise<Trouble[]> {
  if (config === undefined) return [];
  const { command, runtime } = config.agent;
  const { program: usual, demo } = runtimeNamed(runtime) ?? {};
  const program = command[0] ?? usual;
  if (program === undefined) return [];
  const found = await findProgram(program, { root, path: toolEnvironment()["PATH"] });
  if (found !== undefined) return [];
  return [
    {
      key: `${name} ${program}`,
      what: `project ${name}: its agent "${program}" is not found`,
      hint: `${installation(program === usual ? demo?.install : undefined)}, or fix [agent] command in ${join(root, "pawl.toml")}`,
    },
  ];
}

async function lookForScript(project: Project, paths: Paths): Promise<Trouble[]> {
  const script = await missingScript(project, paths.hub);
  if (script === undefined) return [];
  const { name, config } = project;
  return [
    {
      key: `${name} ${script}`,
      what: `project ${name}: its agent runs ${script}, which is not on ${config?.target}`,
      hint: `commit it there, because agents work in clones of that branch, or fix [agent] command in ${join(project.root, "pawl.toml")}`,
    },
  ];
}

const installation = (command: string | undefined): string =>
  command === undefined ? "install it" : `install it with \`${command}\``;
