// Everything below a folder as text, one line per file and link: what two folders are compared by.
// Git's own folders and what is ignored are left out.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { Folder } from "../../src/adapters/shared/folder.ts";
import { isIgnored } from "./random-tree.ts";

export type Manifest = Map<string, string>;

export async function manifestOf(path: string): Promise<Manifest> {
  const found: Manifest = new Map();
  await using root = await Folder.open(path);
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await using folder = await root.enter(next);
    if (folder === undefined) continue;
    for (const name of await folder.names()) {
      if (name === ".git" || isIgnored(name)) continue;
      const below = next === "" ? name : `${next}/${name}`;
      const stats = await folder.stat(name);
      if (stats?.isDirectory() === true) waiting.push(below);
      else if (stats?.isSymbolicLink() === true) {
        found.set(below, `link ${readlinkSync(folder.at(name), { encoding: "latin1" })}`);
      } else if (stats?.isFile() === true) {
        const hash = createHash("sha1")
          .update(readFileSync(folder.at(name)))
          .digest("hex");
        found.set(below, `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${hash}`);
      }
      // Pipes, sockets and devices hold nothing.
    }
  }
  return found;
}

/** Where two folders differ, as a person would want to read it. */
export function differences(wanted: Manifest, found: Manifest, listed: string[]): string[] {
  const shown = (path: string): string => Buffer.from(path, "latin1").toString("utf8");
  const isListed = (path: string): boolean => listed.some((one) => shown(path).startsWith(one));
  const missing = [...wanted]
    .filter(([path, what]) => found.get(path) !== what && !isListed(path))
    .map(([path, what]) => `${JSON.stringify(shown(path))}: ${what}, found ${found.get(path)}`);
  const more = [...found.keys()]
    .filter((path) => !wanted.has(path) && !isListed(path))
    .map((path) => `${JSON.stringify(shown(path))}: should not be there`);
  return [...missing, ...more];
}
