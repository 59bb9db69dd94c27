// Random trees of files as a careless or hostile agent may leave them: links to anywhere, names of
// every kind, modes, sizes, folders that became files. Names are byte strings (Latin-1).
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import type { Folder } from "../../src/adapters/shared/folder.ts";
import type { Prng } from "../../src/lib/prng.ts";

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const NAMES = [
  "a",
  "b",
  "data",
  "lib",
  "sub",
  "out",
  "README.md",
  "x.txt",
  "run.sh",
  "conf",
  "-rf",
  "--help",
  "sp ace ",
  " lead",
  "tab\t",
  "new\nline",
  "cr\r",
  "quote'\"`$(id)",
  String.raw`back\slash`,
  "...",
  "glob*?[a]",
  ":colon",
  ":(top)magic",
  "bell\u0007\u001B[31m",
  ...["nfc-é", "nfd-e\u0301", "\u202Ertl", "con", "aux.txt", "trailing.", "Case", "case"].map(
    latin1,
  ),
  ".GIT",
  ".Git",
  "git~1",
  "GIT~1",
  ".git ",
  ".git.",
  ".gitmodules",
  ".gitattributes",
  "\u00FF\u00FE!",
  "caf\u00E9",
  "bad-\u0080",
  "n".repeat(255),
  "kept.ignored",
  ".hidden",
];
/** What the top of every workspace ignores. */
export const IGNORED = "*.ignored\n";
export const isIgnored = (name: string): boolean => name.endsWith(".ignored");

export type TreeOptions = {
  random: Prng;
  /** A folder outside that links may name. */
  canary: string;
};

/** Puts entries into a folder, or something else in the place of those that are there. */
export async function growTree(
  folder: Folder,
  { random, canary }: TreeOptions,
  depth = 0,
): Promise<void> {
  const count = 1 + random.int(depth === 0 ? 6 : 3);
  for (let made = 0; made < count; made += 1) {
    const name = random.pick(NAMES);
    if (random.chance(0.3)) await folder.remove(name);
    if ((await folder.stat(name)) !== undefined) continue;
    const kind = random.next();
    if (kind < 0.45) writeFile(folder, name, random);
    else if (kind < 0.65) link(folder, name, { random, canary });
    else if (kind < 0.67) execFileSync("mkfifo", [`${folder.path}/pipe-${random.int(2 ** 32)}`]);
    else if (kind < 0.675) await growDeep(folder);
    else {
      await mkdir(folder.at(name));
      await using inner = await folder.make(name);
      if (depth < 4) await growTree(inner, { random, canary }, depth + 1);
      if (random.chance(0.05)) await chmod(folder.at(name), 0o555);
    }
  }
}

function writeFile(folder: Folder, name: string, random: Prng): void {
  const size = random.chance(0.03) ? 300_000 : random.int(60);
  const content = Buffer.alloc(size, `${random.next()}\r\n\0$Id$`);
  const mode = random.chance(0.2) ? 0o755 : 0o644;
  writeFileSync(folder.at(name), random.chance(0.1) ? "" : content, { mode });
}

function link(folder: Folder, name: string, { random, canary }: TreeOptions): void {
  const targets = [
    canary,
    `${canary}/sub`,
    `${canary}/a.txt`,
    ".",
    "..",
    "nowhere",
    "/",
    "a",
    "data",
  ];
  const target = Buffer.from(random.pick([...targets, "bad\u00FF"]), "latin1");
  symlinkSync(target, folder.at(name));
}

/** Longer than the system takes in one piece. */
async function growDeep(folder: Folder): Promise<void> {
  const names = Array.from({ length: 22 }, () => "d".repeat(200));
  await using last = await folder.make(names.join("/"));
  if ((await last.stat("f")) === undefined) writeFileSync(last.at("f"), "deep\n");
}
