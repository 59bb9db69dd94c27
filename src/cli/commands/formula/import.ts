// `pawl formula import`: translates formulas of other systems into files of the project, and says
// what could not be kept. A file that is there already stays, unless `--force` is given.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { importFormula } from "../../../config/formula/import/import-formula.ts";
import { formatProblems } from "../../../config/problem.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import { EXIT, type Deps, type ExitCode } from "../../deps.ts";
import { count, harmless } from "../../output/text.ts";
import { parsedFile } from "./file.ts";

type Options = {
  to?: string | undefined;
  force?: true | undefined;
  print?: true | undefined;
};

type Translated = { file: string; name: string; text: string; notes: string[] };

const FOLDER = ".pawl/formulas";

export async function importFormulas(
  deps: Deps,
  files: string[],
  options: Options,
): Promise<ExitCode> {
  const all: Translated[] = [];
  for (const file of files) all.push(await translated(deps, file));
  tellNotes(deps, all);
  if (options.print === true) {
    for (const { text } of all) deps.stdout(text);
    return EXIT.ok;
  }
  const folder = options.to ?? join(rootOf(deps.cwd), FOLDER);
  refuseSameNames(all);
  const targets = all.map((one) => ({ ...one, path: join(folder, `${one.name}.toml`) }));
  for (const { path, text } of targets) {
    if (options.force === true || !existsSync(path)) continue;
    if ((await readFile(path, "utf8")) === text) continue;
    throw new OperationError(`cannot import: ${path} already exists`, {
      code: "usage",
      hint: "overwrite it with --force, or write elsewhere with --to FOLDER",
    });
  }
  await mkdir(folder, { recursive: true });
  for (const { path, text } of targets) await writeFile(path, text);
  return checked(deps, targets);
}

async function translated(deps: Deps, file: string): Promise<Translated> {
  const imported = importFormula(await deps.readText(file), file);
  if (imported.kind === "imported" && imported.name === "") {
    throw new OperationError(`cannot import ${file}: its name has no letter or digit`, {
      code: "usage",
      hint: 'write a name into it, such as name = "release"',
    });
  }
  if (imported.kind === "imported") return { file, ...imported };
  throw new OperationError(`cannot import ${file}:\n${formatProblems(imported.problems)}`, {
    code: "formula-invalid",
  });
}

/** In one folder the second would be written over the first; some disks do not tell A from a. */
function refuseSameNames(all: Translated[]): void {
  const files = new Map<string, string>();
  for (const { name, file } of all) {
    const other = files.get(name.toLowerCase());
    if (other !== undefined) {
      throw new OperationError(`cannot import: ${other} and ${file} are both named ${name}`, {
        code: "usage",
        hint: "give one of them another name, or import them one by one with --to FOLDER",
      });
    }
    files.set(name.toLowerCase(), file);
  }
}

function tellNotes(deps: Deps, all: Translated[]): void {
  for (const { name, notes } of all) {
    for (const note of notes) deps.stderr(harmless(`${name}: ${note}`).concat("\n"));
  }
}

/** Once all are written: one may be made of another. */
async function checked(deps: Deps, targets: { name: string; path: string }[]): Promise<ExitCode> {
  let broken = 0;
  for (const { path } of targets) {
    deps.stdout(`${relative(deps.cwd, path)}\n`);
    const parsed = await parsedFile(deps, path);
    if (parsed.kind !== "invalid") continue;
    broken += 1;
    deps.stderr(`${formatProblems(parsed.problems)}\n`);
  }
  if (broken === 0) {
    deps.stderr(`${count(targets.length, "formula")} imported; commit them to use them by name\n`);
    return EXIT.ok;
  }
  deps.stderr(`${count(broken, "formula")} cannot be used yet: edit it, or import what it names\n`);
  return EXIT.failed;
}

/** The folder of the repository, or where the caller is. */
function rootOf(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return cwd;
  }
}
