// All crash points there are: those around port methods, and those that adapters name themselves.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { portCrashPoints } from "../../src/daemon/crash-points.ts";

const SOURCES = join(import.meta.dirname, "../../src");

export function allCrashPoints(): string[] {
  const named = globSync("**/*.ts", { cwd: SOURCES })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => [
      ...readFileSync(join(SOURCES, path), "utf8").matchAll(/\bcrash\("([^"]+)"\)/g),
    ])
    .map((match) => match[1] ?? "");
  return [...new Set([...portCrashPoints(), ...named])].toSorted();
}

const TESTS = join(import.meta.dirname, "../../test");

/** Points that a test of its own crashes at: it names them. */
export function crashedElsewhere(): Set<string> {
  const text = globSync("{integration,claude}/**/*.test.ts", { cwd: TESTS })
    .map((path) => readFileSync(join(TESTS, path), "utf8"))
    .join("\n");
  return new Set(allCrashPoints().filter((point) => text.includes(`"${point}"`)));
}
