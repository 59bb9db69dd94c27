// How much a command costs from nothing to its result, beside bare node in the same run: all are
// measured in turn, so that a busy machine slows all of them alike.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAIN, makePlace, ms, print, quantiles } from "./place.ts";

const ROUNDS = 21;
const LAUNCHER = fileURLToPath(new URL("../../pawl", import.meta.url));

const ALONE = "< 4× bare node";
const SERVED = "< 2.5× bare node";

type Options = { env: Record<string, string>; cwd: string };
type Measured = { name: string; argv: string[]; target?: string };
type Sample = { wallMs: number; cpuMs: number };

/** User and system time of a program and its children, as bash tells it. */
function sample(argv: string[], options: Options): Sample {
  const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null 2>/dev/null`;
  const start = performance.now();
  const { stderr } = spawnSync("bash", ["-c", script, "bash", ...argv], {
    ...options,
    encoding: "utf8",
  });
  const wallMs = performance.now() - start;
  const [user = NaN, system = NaN] = stderr.trim().split(" ").map(Number);
  return { wallMs, cpuMs: (user + system) * 1000 };
}

function measure(programs: Measured[], options: Options): void {
  const bare = { name: "bare node -e 0", argv: [process.execPath, "-e", "0"] };
  const all: (Measured & { samples: Sample[] })[] = [bare, ...programs].map((program) => ({
    ...program,
    samples: [],
  }));
  // The first call fills the compile cache.
  for (const { argv } of all) sample(argv, options);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { argv, samples } of all) samples.push(sample(argv, options));
  }
  const p50 = (samples: Sample[], key: keyof Sample): number =>
    quantiles(samples.map((one) => one[key])).p50;
  const base = p50(all[0]?.samples ?? [], "cpuMs");
  for (const { name, samples, target = "" } of all) {
    const cpu = p50(samples, "cpuMs");
    const times = `${(cpu / base).toFixed(2)}× bare node`;
    print(name, `CPU ${ms(cpu)} (${times}), ${ms(p50(samples, "wallMs"))} passed`, target);
  }
}

const own = (...args: string[]): string[] => [process.execPath, MAIN, ...args];

export async function benchStartUp(): Promise<void> {
  const place = makePlace({ "pawl.toml": MINIMAL, "test.sh": "true\n" });
  const options = {
    env: { ...place.env, NODE_COMPILE_CACHE: join(place.home, "..", "cache") },
    cwd: place.repo,
  };
  try {
    spawnSync(process.execPath, [MAIN, "issue", "add", "--title", "x"], options);
    measure(
      [
        { name: "pawl --version", argv: own("--version") },
        { name: "status from the sources, no daemon", argv: own("status") },
        { name: "./pawl status, no daemon", argv: [LAUNCHER, "status"], target: ALONE },
        { name: "./pawl agents, no daemon", argv: [LAUNCHER, "agents"], target: ALONE },
      ],
      options,
    );
    await place.daemon();
    measure(
      [
        { name: "status from the sources, with a daemon", argv: own("status") },
        { name: "./pawl status, with a daemon", argv: [LAUNCHER, "status"], target: SERVED },
        { name: "./pawl agents, with a daemon", argv: [LAUNCHER, "agents"], target: SERVED },
      ],
      options,
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
