// The real mergiraf, built by scripts/fetch-mergiraf.sh into a cache; where it cannot be had, tests say
// so and are skipped.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const FETCH = join(import.meta.dirname, "../../scripts/fetch-mergiraf.sh");
const FETCH_MAX_MS = 1_500_000;

/** The path of its program; undefined where it cannot be had. */
export function findMergiraf(): string | undefined {
  const fetched = spawnSync("sh", [FETCH], { encoding: "utf8", timeout: FETCH_MAX_MS });
  if (fetched.status === 0) return fetched.stdout.trim();
  const why = fetched.stderr.trim().split("\n").at(-1) ?? "unknown";
  console.log(`SKIPPED: mergiraf cannot be had here (${why})`);
  return undefined;
}
