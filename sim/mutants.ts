// `npm run sim:mutants`: plants each bug of mutant-list.ts into a copy of the sources and runs the
// simulator on it. A bug that is not found within its time is named, and the exit code is 1.
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MUTANTS, type Mutant } from "./mutant-list.ts";

const ROOT = join(import.meta.dirname, "..");
const SECONDS = 60;

const { values } = parseArgs({
  options: { only: { type: "string" }, seed: { type: "string", default: "1" } },
});

type Verdict = { mutant: Mutant; found: boolean; seconds: number; by: string };

async function plant(folder: string, mutant: Mutant): Promise<void> {
  for (const { file, from, to } of [mutant, ...(mutant.also === undefined ? [] : [mutant.also])]) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    const times = text.split(from).length - 1;
    if (times !== 1) {
      throw new Error(`mutant "${mutant.name}" fits ${times} times into ${file}: mend it`);
    }
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
}

/** The simulator on the copy, until it finds something or its time is up. */
async function hunt(mutant: Mutant): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-mutant-"));
  const startedMs = performance.now();
  try {
    for (const part of ["src", "sim", "package.json"]) {
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    }
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await plant(folder, mutant);
    const { code, output } = await simulateIn(folder);
    const by = /breaks (\S+): (.*)/.exec(output);
    const broken = by === null ? output.trim().slice(-200) : `${by[1]}: ${by[2]}`;
    const seconds = (performance.now() - startedMs) / 1000;
    return { mutant, found: code !== 0 && by !== null, seconds, by: broken };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function simulateIn(folder: string): Promise<{ code: number | null; output: string }> {
  const args = ["sim/main.ts", "--quick", "--skip-regressions", "--runs", "1000000"];
  const seed = ["--seed", values.seed, "--cpu-seconds", String(SECONDS)];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args, ...seed], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      // On a busy machine a minute of the processor takes several.
      timeout: 10 * SECONDS * 1000,
    });
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

const chosen = MUTANTS.filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
);
const missed: Mutant[] = [];
for (const mutant of chosen) {
  const verdict = await hunt(mutant).catch((error: unknown) => ({
    mutant,
    found: false,
    seconds: 0,
    by: String(error),
  }));
  if (!verdict.found) missed.push(mutant);
  const mark = verdict.found ? "found " : "MISSED";
  console.log(
    `${mark}  ${verdict.seconds.toFixed(1).padStart(5)} s  ${mutant.name.padEnd(50)}  ${verdict.by.slice(0, 110)}`,
  );
}
console.log(`\n${chosen.length - missed.length} of ${chosen.length} planted bugs found`);
for (const { name, proves } of missed) console.log(`not found: ${name} (${proves})`);
process.exitCode = missed.length === 0 ? 0 : 1;
