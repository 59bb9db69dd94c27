// Which plugins a project has, in directory order: its own from the target's tip (never from a
// branch or a checkout, so that an agent cannot plant one that was not landed), then the user's.
import { parsePlugin, type PluginFile } from "../../config/plugin/parse-plugin.ts";
import type { Plugin } from "../../core/plugin/plugin.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";

const FOLDER = "plugins";
const LIMITS = { filesMax: 500, bytesMax: 100_000 };

export type Found = {
  name: string;
  from: Plugin["from"];
  plugin: Plugin | undefined;
  problem: string | undefined;
};

export async function findPlugins(ports: Ports, own: ProjectPorts): Promise<Found[]> {
  const ofProject = projectFiles(await own.git.targetFiles({ folder: FOLDER, ...LIMITS }));
  const names = new Set(ofProject.map(({ name }) => name));
  const ofUser = (await ports.userPlugins.files()).map(({ name, text, script }): PluginFile => {
    return { name, from: "user", text, script: script === undefined ? undefined : ["sh", script] };
  });
  return [...ofProject.map(parsed), ...ofUser.filter(({ name }) => !names.has(name)).map(parsed)];
}

function projectFiles(files: { path: string; text: string }[]): PluginFile[] {
  const scripts = new Set(
    files.map(({ path }) => path).filter((path) => /^[^/]+\/run\.sh$/.test(path)),
  );
  return files
    .flatMap(({ path, text }): PluginFile[] => {
      const name = /^([^/]+)\/plugin\.md$/.exec(path)?.[1];
      if (name === undefined) return [];
      const script = scripts.has(`${name}/run.sh`) ? ["sh", `${FOLDER}/${name}/run.sh`] : undefined;
      return [{ name, from: "project", text, script }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every round looks at them, and their files are mostly as they were. */
const known = new Map<string, Found>();
const KNOWN_MAX = 500;

function parsed(file: PluginFile): Found {
  const key = JSON.stringify(file);
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const found = parse(file);
  known.set(key, found);
  return found;
}

function parse(file: PluginFile): Found {
  const { name, from } = file;
  const result = parsePlugin(file);
  return result.kind === "valid"
    ? { name, from, plugin: result.plugin, problem: undefined }
    : { name, from, plugin: undefined, problem: result.problem };
}
