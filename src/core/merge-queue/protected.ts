// Which changed files need an operator's approval: the rules, the programs of the target that Pawl
// runs by itself or gives secrets to, and what `[merge_queue] protected` names.
// In a pattern `*` is any part of one name and `**` any number of folders; a folder stands for all in it.

const ALWAYS = ["pawl.toml", "vault/handlers/**"];
/** What makes a folder a plugin. Other folders of the name `plugins` hold ordinary sources. */
const PLUGIN = ["plugins", "*", "plugin.md"];

/** `plugins`: those of the folders that `pluginFolders` found which are plugins. */
export const protectedAmong = (
  paths: string[],
  patterns: string[],
  plugins: string[] = [],
): string[] => {
  const all = [...ALWAYS, ...plugins.map((folder) => `${folder}/**`), ...patterns].map(namesOf);
  return paths.filter((path) => {
    const names = namesOf(path);
    return isInside(PLUGIN, names) || all.some((pattern) => protects(pattern, names));
  });
};

/** The folders `plugins/NAME` in which something changed: each is a plugin if it has a plugin.md. */
export const pluginFolders = (paths: string[]): string[] => [
  ...new Set(
    paths
      .map(namesOf)
      .filter(
        ([first, name, ...rest]) => first === PLUGIN[0] && name !== undefined && rest.length > 0,
      )
      .map((names) => names.slice(0, 2).join("/")),
  ),
];

const namesOf = (path: string): string[] => path.split("/").filter((name) => name !== "");

/** Also a path above the pattern: a file or link in place of a folder changes everything below it. */
function protects(pattern: string[], path: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return true;
  if (first === "**") {
    if (rest.length === 0) return true;
    return path.some((_, index) => protects(rest, path.slice(index)));
  }
  const [name, ...below] = path;
  if (name === undefined) return true;
  return isNamed(first, name) && protects(rest, below);
}

/**
 * Those that no pattern names: a path must be inside what a pattern says, not above it. Only with a
 * slash at its end does a pattern stand for a folder: without one it would allow more than it says.
 */
export function outsideOf(paths: string[], patterns: string[]): string[] {
  const allowed = patterns.map((one) => namesOf(one.endsWith("/") ? `${one}**` : one));
  return paths.filter((path) => !allowed.some((pattern) => isInside(pattern, namesOf(path))));
}

function isInside(pattern: string[], path: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "**" && rest.length === 0) return path.length > 0;
  if (first === "**") return path.some((_, index) => isInside(rest, path.slice(index)));
  const [name, ...below] = path;
  return name !== undefined && isNamed(first, name) && isInside(rest, below);
}

function isNamed(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const [start = "", ...others] = parts;
  const end = others.at(-1);
  if (end === undefined) return name === pattern;
  if (!name.startsWith(start) || name.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of others.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.endsWith(end) && name.length - end.length >= at;
}
