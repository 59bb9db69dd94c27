// The answers that the commands of a test noted in a file (PAWL_CHECK_ANSWERS), checked by their schemas
// when the test is over: loading the schemas was a third of the processor time of each command.
import { existsSync, readFileSync } from "node:fs";

type Noted = { method: string; path: string; body: unknown };

export function readNoted(file: string): Noted[] {
  if (!existsSync(file)) return [];
  const lines = new Set(readFileSync(file, "utf8").split("\n"));
  return [...lines].flatMap(parseWhole);
}

/** A command that was killed leaves half a line. */
function parseWhole(line: string): Noted[] {
  try {
    return [JSON.parse(line) as Noted];
  } catch {
    return [];
  }
}

export async function checkNoted(noted: Noted[]): Promise<void> {
  if (noted.length === 0) return;
  const { checkAnswer } = await import("../../src/cli/check-answer.ts");
  for (const { body, ...call } of noted) checkAnswer(call, body);
}
