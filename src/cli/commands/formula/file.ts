// A formula in a file of the caller's: read here, with the formulas beside it that it is made of.
import { dirname, join } from "node:path";
import { partsNamedIn } from "../../../config/formula/compose.ts";
import { parseFormula, type ParsedFormula } from "../../../config/formula/parse-formula.ts";
import { formatProblems } from "../../../config/problem.ts";
import { parseToml } from "../../../config/toml.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import type { Deps } from "../../deps.ts";

export type FormulaText = { text: string; file: string; parts: FormulaPart[] };
type FormulaPart = { name: string; text: string; file: string };

const PARTS_MAX = 50;

type Formula = Extract<ParsedFormula, { kind: "valid" }>["formula"];

export const isFile = (name: string): boolean => name.endsWith(".toml") || name.includes("/");

/** With the files of the formulas that it names, and that these name. */
export async function readFormulaFile(deps: Deps, file: string): Promise<FormulaText> {
  const text = await deps.readText(file);
  const parts: FormulaPart[] = [];
  const asked = new Set<string>();
  const wanted = namesIn(text, file);
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (asked.has(name) || asked.size >= PARTS_MAX) continue;
    asked.add(name);
    const part = await beside(deps, file, name);
    if (part === undefined) continue;
    parts.push(part);
    wanted.push(...namesIn(part.text, part.file));
  }
  return { text, file, parts };
}

export async function parsedFile(deps: Deps, file: string): Promise<ParsedFormula> {
  const { text, parts } = await readFormulaFile(deps, file);
  return parseFormula(text, file, (name) => parts.find((part) => part.name === name));
}

export async function formulaIn(deps: Deps, file: string): Promise<Formula> {
  const parsed = await parsedFile(deps, file);
  if (parsed.kind === "valid") return parsed.formula;
  const problem =
    parsed.kind === "invalid"
      ? formatProblems(parsed.problems)
      : `${file} is an ${parsed.part.kind}: a part that other formulas name in [compose]`;
  throw new OperationError(`this formula cannot be used:\n${problem}`, { code: "formula-invalid" });
}

function namesIn(text: string, file: string): string[] {
  const document = parseToml(text, file);
  return document.kind === "document" ? partsNamedIn(document.root) : [];
}

/** One that is missing is reported where it is named. */
async function beside(deps: Deps, file: string, name: string): Promise<FormulaPart | undefined> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return undefined;
  for (const path of [`${name}.toml`, `${name}.formula.toml`].map((one) =>
    join(dirname(file), one),
  )) {
    try {
      return { name, text: await deps.readText(path), file: path };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  }
  return undefined;
}
