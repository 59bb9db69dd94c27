// How many real features of one library land without an agent, with and without a resolver of conflicts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { LIBRARIES, makeLibraryWorld, type Library } from "./library.ts";
import { landByQueue } from "./merge-world.ts";
import { print } from "./place.ts";

const FETCH = join(import.meta.dirname, "../fetch-mergiraf.sh");

export async function benchResolver(): Promise<void> {
  const fetched = spawnSync("sh", [FETCH], { encoding: "utf8" });
  if (fetched.status !== 0) {
    print("mergiraf cannot be had here", fetched.stderr.trim().split("\n").at(-1) ?? "");
    return;
  }
  const mergiraf = [fetched.stdout.trim(), "solve", "{file}"];
  for (const library of LIBRARIES) {
    try {
      await measure(library, mergiraf);
    } catch (error) {
      print(library.name, `SKIPPED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function measure(library: Library, mergiraf: string[]): Promise<void> {
  const [plain, resolved] = [await landed(library, undefined), await landed(library, mergiraf)];
  const figures = `${plain.landed} of ${plain.branches} with git alone, ${resolved.landed} with mergiraf`;
  print(`${library.name}: features landed without an agent`, figures);
}

async function landed(
  library: Library,
  resolve: string[] | undefined,
): Promise<{ landed: number; branches: number }> {
  const world = await makeLibraryWorld(library, resolve);
  try {
    const before = commitsOf(world.repo);
    await landByQueue(world);
    return { landed: commitsOf(world.repo) - before, branches: world.names.length };
  } finally {
    world.close();
  }
}

const commitsOf = (repo: string): number =>
  Number(spawnSync("git", ["rev-list", "--count", "main"], { cwd: repo, encoding: "utf8" }).stdout);
