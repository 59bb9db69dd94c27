// Seeds that once failed, with the options they failed with. They run before fresh ones, in CI too.
import { appendFile, readFile } from "node:fs/promises";
import type { Options } from "./options.ts";

const FILE = new URL("./regressions.txt", import.meta.url);

export type Regression = { seed: number; options: Options; checker: string };

/** One per line: seed, what it broke, options as JSON; lines that begin with # are comments. */
export async function readRegressions(): Promise<Regression[]> {
  const lines = (await readFile(FILE, "utf8")).split("\n");
  return lines.flatMap((line) => {
    const match = /^(\d+) (\S+) (\{.*\})$/.exec(line);
    if (match === null) return [];
    const [, seed, checker = "", options = ""] = match;
    return [{ seed: Number(seed), checker, options: JSON.parse(options) as Options }];
  });
}

/** False where it is known already. */
export async function keepRegression(found: Regression): Promise<boolean> {
  const known = await readRegressions();
  if (known.some(({ seed, checker }) => seed === found.seed && checker === found.checker))
    return false;
  const { seed, checker, options } = found;
  await appendFile(FILE, `${seed} ${checker} ${JSON.stringify(options)}\n`);
  return true;
}
