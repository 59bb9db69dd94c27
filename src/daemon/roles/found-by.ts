// The findings that an earlier step of the formula left as its output.
import { z } from "zod";
import { resultOf, type FormulaRun } from "../../core/formula/run.ts";
import type { Finding } from "../../core/roles/facts.ts";

const schema = z.object({
  findings: z.array(
    z.object({ name: z.string(), level: z.enum(["P0", "P1", "P2", "P3", "P4"]), text: z.string() }),
  ),
});

export function foundBy(run: FormulaRun, step: string): Finding[] {
  const output = resultOf(run, step)?.output ?? "";
  return output === "" ? [] : schema.parse(JSON.parse(output)).findings;
}
