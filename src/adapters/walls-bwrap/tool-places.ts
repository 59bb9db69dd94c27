// The tools that PATH names outside the system's folders: each folder, and what its links lead to. A
// folder above them is never shown as a whole: beside a toolchain lie caches and credentials.
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isOfSystem } from "./system-places.ts";

const LINKS_MAX = 2000;

type Known = { stamp: string; places: string[] };
const known = new Map<string, Known>();

/** `home`: a folder that holds all of it is too much to be shown. */
export function toolPlaces(path: string, home: string): string[] {
  const folders = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfSystem(folder) && isShown(folder, home));
  const stamp = folders.map(stampOf).join(" ");
  const found = known.get(path);
  if (found?.stamp === stamp) return found.places;
  const places = [...new Set(folders.flatMap((folder) => placesOf(folder, home)))];
  known.set(path, { stamp, places });
  return places;
}

/** Of a program that is named by its path: its folder, or the file alone where that is too much. */
export function programPlaces(program: string, home: string): string[] {
  if (!isAbsolute(program) || isOfSystem(program)) return [];
  const folder = dirname(program);
  const lead = leadsTo(program);
  const own = isShown(folder, home) ? folder : program;
  return lead !== undefined && isShown(lead, home) ? [own, lead] : [own];
}

/** Neither the home itself nor a folder above it. */
const isShown = (folder: string, home: string): boolean =>
  folder !== home && !home.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const stampOf = (folder: string): string => {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}:${found.mtimeMs}`;
};

function placesOf(folder: string, home: string): string[] {
  const names = namesIn(folder).slice(0, LINKS_MAX);
  const leads = names.flatMap((name) => leadsTo(join(folder, name)) ?? []);
  const outside = leads.filter((place) => !isOfSystem(place) && isShown(place, home));
  return names.length === 0 ? [] : [folder, ...outside];
}

/** The package that a link leads into: all of node_modules, or what lies beside its `bin`. */
function leadsTo(path: string): string | undefined {
  const real = realOf(path);
  if (real === undefined || dirname(real) === dirname(path)) return undefined;
  const at = real.indexOf(`${sep}node_modules${sep}`);
  if (at !== -1) return `${real.slice(0, at)}${sep}node_modules`;
  const folder = dirname(real);
  const isPrefix = basename(folder) === "bin" && basename(dirname(folder)) !== ".local";
  return isPrefix ? dirname(folder) : folder;
}

function realOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : undefined;
  } catch {
    // A link that leads nowhere is no tool.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // PATH may name what does not exist.
    return [];
  }
}
