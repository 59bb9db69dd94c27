// Each project's configuration can be used, and what it names is there.
import { join } from "node:path";
import { findProgram } from "../../../config/find-program.ts";
import { CONFIG_FILE } from "../../../config/load.ts";
import { parseConfig } from "../../../config/parse.ts";
import { formatProblems } from "../../../config/problem.ts";
import type { Project } from "../../../core/project/project.ts";
import { toolEnvironment } from "../../host/environment.ts";
import { createSecrets } from "../../host/secrets.ts";
import { committedText } from "../as-committed.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

export const configurationCheck: Check = {
  id: "configuration",
  title: "pawl.toml of each project",
  run: async (inspection) => {
    const [projects, committed] = [await inspection.projects(), await inspection.committed()];
    const found = await Promise.all([
      ...projects.map(look),
      ...committed.map((project) => unset(inspection, project)),
      ...committed.map(noResolver),
    ]);
    return found.flat();
  },
};

async function look(project: Project): Promise<Trouble[]> {
  const { name, root, config, configProblem } = project;
  const file = join(root, "pawl.toml");
  const troubles: Trouble[] = [];
  if ((await statOf(root)) === undefined) {
    const hint = "put the repository back, or register it again with `pawl init` where it is now";
    troubles.push({ key: `${name} root`, what: `project ${name}: ${root} is gone`, hint });
  }
  if (configProblem !== undefined) {
    const what = `project ${name}: pawl.toml is invalid, so Pawl still uses the last valid version: ${configProblem}`;
    troubles.push({ key: `${name} problem`, what, hint: `fix ${file} and commit it` });
  } else if (config === undefined) {
    const what = `project ${name} has no configuration`;
    troubles.push({ key: `${name} none`, what, hint: `write ${file} with \`pawl init\`` });
  } else {
    troubles.push(...(await notSeenYet(project, config.target)));
  }
  return troubles;
}

/** A commit that no daemon has looked at yet: the next one cannot use it. */
async function notSeenYet(project: Project, target: string): Promise<Trouble[]> {
  const { name, root } = project;
  const text = await committedText(project, target);
  if (text === undefined) return [];
  const parsed = parseConfig(text, CONFIG_FILE);
  if (parsed.kind === "valid") return [];
  const what = `project ${name}: ${CONFIG_FILE} on ${target} cannot be used: ${formatProblems(parsed.problems)}`;
  return [{ key: `${name} problem`, what, hint: `fix ${join(root, CONFIG_FILE)} and commit it` }];
}

/** Without it every conflict goes back to its author. */
async function noResolver({ name, config, root }: Project): Promise<Trouble[]> {
  const [program] = config?.merge.resolve ?? [];
  if (program === undefined) return [];
  if (await findProgram(program, { root, path: toolEnvironment()["PATH"] })) return [];
  return [
    {
      key: `${name} resolver`,
      what: `project ${name}: its conflict resolver "${program}" was not found, so every conflict goes back to its author`,
      hint: `install it, or fix [merge_queue] resolve in ${join(root, "pawl.toml")}`,
    },
  ];
}

/** Variables that channels name and that are not set. */
async function unset({ paths }: Inspection, { name, config }: Project): Promise<Trouble[]> {
  const secrets = createSecrets(paths.home, process.env);
  const troubles: Trouble[] = [];
  for (const channel of config?.notify ?? []) {
    for (const variable of [channel.urlEnv, channel.tokenEnv]) {
      if (variable === undefined || (await secrets(variable)) !== undefined) continue;
      troubles.push({
        key: `${name} ${variable}`,
        what: `project ${name}: ${variable}, which channel ${channel.name} needs, is not set`,
        hint: "set it where the daemon is started, or write it into .env in PAWL_HOME (mode 600)",
      });
    }
  }
  return troubles;
}
