// Reads the user's own plugins from their configuration folder.
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ifThere } from "../../lib/if-there.ts";
import type { UserPluginFile, UserPlugins } from "../../ports/user-plugins.ts";

const FOLDERS_MAX = 100;
const TEXT_MAX = 100_000;

export const createUserPlugins = (): UserPlugins => ({
  files: async () => {
    const folder = pluginFolder(process.env);
    const names = ((await ifThere(readdir(folder))) ?? []).toSorted().slice(0, FOLDERS_MAX);
    const found = await Promise.all(names.map((name) => readPlugin(folder, name)));
    return found.flatMap((file) => file ?? []);
  },
});

/** $XDG_CONFIG_HOME/pawl/plugins, else ~/.config/pawl/plugins. */
export function pluginFolder(env: Readonly<Record<string, string | undefined>>): string {
  const config = env["XDG_CONFIG_HOME"];
  const base =
    config === undefined || config === "" ? join(env["HOME"] ?? homedir(), ".config") : config;
  return join(base, "pawl", "plugins");
}

async function readPlugin(folder: string, name: string): Promise<UserPluginFile | undefined> {
  const place = join(folder, name);
  const text = await ifThere(readFile(join(place, "plugin.md"), "utf8"));
  if (text === undefined) return undefined;
  const inside = (await ifThere(readdir(place))) ?? [];
  const script = inside.includes("run.sh") ? join(place, "run.sh") : undefined;
  return { name, text: text.slice(0, TEXT_MAX), script };
}
