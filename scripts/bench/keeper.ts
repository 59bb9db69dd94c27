// The daemon is killed without a person to restart it: how long until the keeper's next one serves.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runtimeFolder } from "../../src/config/home.ts";
import { MAIN, makePlace, ms, print, quantiles, type Place } from "./place.ts";

const KILLS = 5;
const LOOK_MS = 10;
const MINIMAL = `[project]\nname = "bench"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\nnone = true\n`;

type Ping = { daemon: { pid: number } | null };

const served = (place: Place): Promise<number | undefined> =>
  place.api<Ping>("GET", "/v1/ping").then(
    ({ daemon }) => daemon?.pid,
    () => undefined,
  );

export async function benchKeeper(): Promise<void> {
  const place = makePlace({ "pawl.toml": MINIMAL, "test.sh": "true\n" });
  const { env, repo: cwd, home } = place;
  const pawl = (...words: string[]): void => {
    spawnSync(process.execPath, [MAIN, ...words], { env, cwd, stdio: "ignore" });
  };
  try {
    pawl("up");
    const samples: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) samples.push(await killed(place));
    const { p50, max } = quantiles(samples);
    const figure = `p50 ${ms(p50)}, at most ${ms(max)} (${KILLS} kills in a row)`;
    print("daemon killed → another one serves, by its keeper", figure, "< 10 s");
  } finally {
    pawl("down");
    spawnSync("tmux", ["-S", join(runtimeFolder(env, home), "tmux.sock"), "kill-server"]);
    rmSync(join(home, ".."), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function killed(place: Place): Promise<number> {
  const before = await served(place);
  const from = performance.now();
  process.kill(before ?? 0, "SIGKILL");
  for (;;) {
    const pid = await served(place);
    if (pid !== undefined && pid !== before) return performance.now() - from;
    await wait(LOOK_MS);
  }
}
