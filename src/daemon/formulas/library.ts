// Where formulas come from: those in `formulas/` come with Pawl, those in `.pawl/formulas/` of the
// target are the project's own, whole or as a layer over the first. Where the target has none, the
// user's checkout counts, as with pawl.toml.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseFormula } from "../../config/formula/overlay.ts";
import type { ParsedFormula } from "../../config/formula/parse-formula.ts";
import type { FormulaFile } from "../../config/formula/table.ts";
import { nearest } from "../../config/nearest.ts";
import { formatProblems } from "../../config/problem.ts";
import type { Formula } from "../../core/formula/formula.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { BUILTINS } from "../builtins/registry.ts";
import type { ProjectPorts } from "../engine/ports.ts";

const OWN_FOLDER = ".pawl/formulas";
const LIMITS = { filesMax: 200, bytesMax: 500_000 };

export type FoundFormula = {
  name: string;
  from: "built-in" | "project" | "overlay";
  file: string;
  parsed: ParsedFormula;
};

type Place = { root: string; own: ProjectPorts };

/** All, by name. One that is broken is among them, with what is wrong. */
export async function allFormulas(place: Place): Promise<FoundFormula[]> {
  const [builtIn, own] = await Promise.all([builtInFiles(), ownFiles(place)]);
  const names = [...new Set([...builtIn.keys(), ...own.keys()])].toSorted();
  const whole = [...own].filter(([, file]) => !isLayer(file));
  const files = new Map([...builtIn, ...whole]);
  const find = (name: string): FormulaFile | undefined => files.get(name);
  return names.map((name) => found(name, { builtIn: builtIn.get(name), own: own.get(name), find }));
}

/** The formula of this name, usable; otherwise what is wrong with it is thrown. */
export async function formulaNamed(
  place: Place,
  name: string,
): Promise<{ formula: Formula; source: string }> {
  const all = await allFormulas(place);
  const one = all.find((candidate) => candidate.name === name);
  if (one === undefined) throw noFormula(name, all);
  return { formula: usable(one.parsed), source: one.file };
}

/** What was parsed, where it can be run as it is. */
export function usable(parsed: ParsedFormula): Formula {
  if (parsed.kind === "invalid") {
    throw new OperationError(`this formula cannot be used:\n${formatProblems(parsed.problems)}`, {
      code: "formula-invalid",
      hint: "`pawl formula validate` checks it again",
    });
  }
  if (parsed.kind === "part") {
    const { name, kind } = parsed.part;
    throw new OperationError(`${name} is an ${kind}: it cannot be run by itself`, {
      code: "formula-invalid",
      hint: "name it in [compose] of a formula",
    });
  }
  const strange = parsed.formula.steps.flatMap(({ id, action }) =>
    action.kind === "builtin" && BUILTINS[action.name] === undefined
      ? [`step "${id}": Pawl has no builtin "${action.name}"`]
      : [],
  );
  if (strange.length === 0) return parsed.formula;
  throw new OperationError(strange.join("\n"), {
    code: "formula-invalid",
    hint: `there are ${Object.keys(BUILTINS).join(", ")}`,
  });
}

function found(name: string, files: Parameters<typeof chooseFormula>[0]): FoundFormula {
  const { builtIn, own } = files;
  const parsed = chooseFormula(files);
  const file = (own ?? builtIn)?.file ?? name;
  const isOverlay = builtIn !== undefined && own !== undefined && isLayer(own);
  const from = own === undefined ? "built-in" : isOverlay ? "overlay" : "project";
  if (parsed.kind === "missing") {
    return { name, from, file, parsed: { kind: "invalid", problems: [] } };
  }
  return { name, from, file, parsed };
}

const isLayer = ({ text }: FormulaFile): boolean => text.includes("[[step-overrides]]");

function noFormula(name: string, all: FoundFormula[]): OperationError {
  const names = all.map((one) => one.name);
  const meant = nearest(name, names);
  return new OperationError(`there is no formula "${name}"`, {
    code: "no-formula",
    hint:
      meant === undefined
        ? `see \`pawl formula list\`, or name a file that ends in .toml`
        : `did you mean "${meant}"?`,
  });
}

/** In the bundle they lie beside it, in a checkout at its root. */
function builtInFolder(): string {
  const candidates = ["./formulas/", "../../../formulas/"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((path) => existsSync(path)) ?? "";
}

async function builtInFiles(): Promise<Map<string, FormulaFile>> {
  const folder = builtInFolder();
  const names = (folder === "" ? [] : await readdir(folder)).filter(isToml);
  return readAll(folder, names);
}

async function ownFiles({ root, own }: Place): Promise<Map<string, FormulaFile>> {
  const atTarget = await own.git.targetFiles({ folder: OWN_FOLDER, ...LIMITS });
  const files = atTarget.filter(({ path }) => isToml(path));
  if (files.length > 0) {
    return new Map(
      files.map(({ path, text }) => [nameOf(path), { text, file: `${OWN_FOLDER}/${path}` }]),
    );
  }
  const folder = join(root, OWN_FOLDER);
  if (!existsSync(folder)) return new Map();
  return readAll(folder, (await readdir(folder)).filter(isToml));
}

async function readAll(folder: string, names: string[]): Promise<Map<string, FormulaFile>> {
  const files = names.slice(0, LIMITS.filesMax).map(async (name) => {
    const file = join(folder, name);
    return [nameOf(name), { text: await readFile(file, "utf8"), file }] as const;
  });
  return new Map(await Promise.all(files));
}

const isToml = (path: string): boolean => path.endsWith(".toml");
/** `mol-x.formula.toml` is a spelling of other systems. */
const nameOf = (path: string): string => basename(path).replace(/(?:\.formula)?\.toml$/, "");
