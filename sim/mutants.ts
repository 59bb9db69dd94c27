// `npm run sim:mutants`: plants each bug of mutant-list.ts into a copy of the sources and runs the
// simulator on it. A bug that is not found within its time, by the checker that is there for it, is
// named, and the exit code is 1.
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MUTANTS, type Mutant } from "./mutant-list.ts";

const ROOT = join(import.meta.dirname, "..");
const SECONDS = 60;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    /** How many are hunted side by side. */
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});

/** `cpu`: seconds of the processor until it was found. */
type Verdict = { found: boolean; cpu: number; by: string };

async function plant(folder: string, mutant: Mutant): Promise<void> {
  for (const { file, from, to } of [mutant, ...(mutant.also === undefined ? [] : [mutant.also])]) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    const times = text.split(from).length - 1;
    if (times !== 1) {
      throw new Error(`mutant "${mutant.name}" fits ${times} times into ${file}: correct it`);
    }
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
}

/** The simulator on the copy, until the right checker sees something or its time is up. */
async function hunt(mutant: Mutant): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-mutant-"));
  try {
    for (const part of ["src", "sim", "formulas", "package.json"]) {
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    }
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await plant(folder, mutant);
    return judge(mutant, await simulateIn(folder, mutant));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function judge({ by }: Mutant, output: string): Verdict {
  const broken = [...output.matchAll(/breaks (\S+): (.*)/g)];
  const right = broken.find(([, checker = ""]) => by.includes(checker));
  const cpu = Number(/([\d.]+) s of the processor/.exec(output)?.[1] ?? NaN);
  const others = new Set(broken.map(([, checker]) => checker));
  const instead = others.size === 0 ? output.trim().slice(-200) : [...others].join(", ");
  const seen = right === undefined ? `only by ${instead}` : `${right[1]}: ${right[2]}`;
  return { found: right !== undefined, cpu, by: seen };
}

function simulateIn(folder: string, { by }: Mutant): Promise<string> {
  const args = ["sim/main.ts", "--quick", "--skip-regressions", "--runs", "1000000"];
  const seed = ["--seed", values.seed, "--cpu-seconds", String(SECONDS)];
  const checkers = by.flatMap((checker) => ["--checker", checker]);
  return new Promise((resolve, reject) => {
    const command = [process.execPath, ...process.execArgv, ...args, ...seed, ...checkers];
    // A bug may make the simulator turn in a circle. It is ended by the time of the processor too: on
    // a busy machine that takes far longer than by the clock.
    const limited = ["-c", `ulimit -t ${3 * SECONDS} && exec "$@"`, "sh", ...command];
    const child = spawn("sh", limited, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}

const chosen = MUTANTS.filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
);
const missed: Mutant[] = [];
const waiting = [...chosen];

async function huntOn(): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const verdict = await hunt(mutant).catch((error: unknown) => ({
      found: false,
      cpu: NaN,
      by: String(error),
    }));
    if (!verdict.found) missed.push(mutant);
    const mark = verdict.found ? "found " : "MISSED";
    const took = `${verdict.cpu.toFixed(1).padStart(5)} s`;
    console.log(`${mark}  ${took}  ${mutant.name.padEnd(60)}  ${verdict.by.slice(0, 110)}`);
  }
}

const startedMs = performance.now();
await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, huntOn));
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
const found = chosen.length - missed.length;
console.log(`\n${found} of ${chosen.length} planted bugs found in ${minutes} minutes`);
for (const { name, proves, by } of missed) {
  console.log(`not found: ${name} (${proves}), by ${by.join(" or ")}`);
}
process.exitCode = missed.length === 0 && chosen.length > 0 ? 0 : 1;
