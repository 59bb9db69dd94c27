// How long a command takes from nothing to its result, beside bare node in the same run.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAIN, makePlace, ms, print, quantiles } from "./place.ts";

const ROUNDS = 21;
const LAUNCHER = fileURLToPath(new URL("../../pawl", import.meta.url));

function time(
  argv: [string, ...string[]],
  options: { env: Record<string, string>; cwd: string },
): number {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    spawnSync(argv[0], argv.slice(1), { ...options, stdio: "ignore" });
    samples.push(performance.now() - start);
  }
  return quantiles(samples).p50;
}

export async function benchStartUp(): Promise<void> {
  const place = makePlace({ "pawl.toml": MINIMAL, "test.sh": "true\n" });
  const options = {
    env: { ...place.env, NODE_COMPILE_CACHE: join(place.home, "..", "cache") },
    cwd: place.repo,
  };
  try {
    spawnSync(process.execPath, [MAIN, "issue", "add", "--title", "x"], options);
    print("bare node -e 0", ms(time([process.execPath, "-e", "0"], options)));
    print(
      "pawl --version (source, compile cache)",
      ms(time([process.execPath, MAIN, "--version"], options)),
    );
    print("pawl status, no daemon", ms(time([process.execPath, MAIN, "status"], options)));
    await place.daemon();
    print(
      "pawl status, with a daemon",
      ms(time([process.execPath, MAIN, "status"], options)),
      "< 100 ms",
    );
    print(
      "./pawl status (launcher), with a daemon",
      ms(time([LAUNCHER, "status"], options)),
      "< 100 ms",
    );
  } finally {
    await place.close();
  }
}

const MINIMAL = `[project]
name = "bench"
target = "main"
parallel = 1
[agent]
runtime = "script"
[ci]
none = true
`;
