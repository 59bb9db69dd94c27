// `pawl doctor` on a factory with 50 living sessions, through its daemon and as a command types it.
import { spawnSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { DoctorView } from "../../src/api/doctor.ts";
import { MAIN, makePlace, ms, print, quantiles } from "./place.ts";

const SESSIONS = 50;
const ROUNDS = 10;

const CONFIG = `[project]
name = "bench"
target = "main"
parallel = ${SESSIONS}
[agent]
runtime = "command"
command = ["sh", "-c", "sleep 3600"]
[ci]
none = true
`;

export async function benchDoctor(): Promise<void> {
  const place = makePlace({ "pawl.toml": CONFIG, "test.sh": "true\n" });
  try {
    await place.daemon();
    for (let n = 0; n < SESSIONS; n += 1) {
      await place.api("POST", "/v1/issues", { title: `bench ${n}`, key: `bench ${n}`, body: "" });
    }
    for (;;) {
      const status = await place.api<{ runs: { alive: boolean }[] }>("GET", "/v1/status");
      if (status.runs.filter((run) => run.alive).length === SESSIONS) break;
      await wait(200);
    }
    const took: number[] = [];
    let last: DoctorView | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      last = await place.api<DoctorView>("GET", "/v1/doctor");
      took.push(last.took_ms);
    }
    const begin = performance.now();
    const { env, repo: cwd } = place;
    const { stdout } = spawnSync(process.execPath, [MAIN, "doctor"], {
      env,
      cwd,
      encoding: "utf8",
    });
    const { p50, max } = quantiles(took);
    const typed = ms(performance.now() - begin);
    const verdict = stdout.trim().split("\t")[1] ?? "?";
    const figure = `p50 ${ms(p50)}, max ${ms(max)}, typed ${typed} (${verdict})`;
    print(`doctor, ${SESSIONS} sessions, ${last?.checks.length ?? 0} checks`, figure, "< 5 s");
  } finally {
    await place.close();
  }
}
