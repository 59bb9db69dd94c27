// All crash points there are: those around port methods, and those that adapters name themselves.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFormula } from "../../src/config/formula/parse-formula.ts";
import { gatePoint, stepPoints } from "../../src/daemon/engine/journal-crash-points.ts";
import { portCrashPoints } from "../../src/daemon/engine/port-crash-points.ts";

const FORMULAS = join(import.meta.dirname, "../../formulas");
const SOURCES = join(import.meta.dirname, "../../src");

export function allCrashPoints(): string[] {
  const named = globSync("**/*.ts", { cwd: SOURCES })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => [
      ...readFileSync(join(SOURCES, path), "utf8").matchAll(/\bcrash\("([^"]+)"\)/g),
    ])
    .map((match) => match[1] ?? "");
  return [...new Set([...portCrashPoints(), ...named, ...statePoints()])].toSorted();
}

/** Every step of every formula that comes with Pawl, and gates that close without a person. */
function statePoints(): string[] {
  const steps = globSync("*.toml", { cwd: FORMULAS }).flatMap((file) => {
    const parsed = parseFormula(readFileSync(join(FORMULAS, file), "utf8"), file);
    return parsed.kind === "valid" ? stepPoints(parsed.formula) : [];
  });
  return [...steps, ...["command", "issue", "timer"].map(gatePoint)];
}

const TESTS = join(import.meta.dirname, "../../test");

/** Points that a test of its own crashes at: it names them. */
export function crashedElsewhere(): Set<string> {
  const text = globSync("{integration,claude}/**/*.test.ts", { cwd: TESTS })
    .map((path) => readFileSync(join(TESTS, path), "utf8"))
    .join("\n");
  return new Set(allCrashPoints().filter((point) => text.includes(`"${point}"`)));
}
