// From a phase written to Pawl's answer in the agent's inbox: the reaction has then not only
// started but arrived. An invalid phase is answered without git or CI, so that the path of every
// reaction is measured and nothing else.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makePlace, ms, print, quantiles } from "./place.ts";

const SAMPLES = 1000;

const AGENT = `
import { readdirSync, renameSync, watch, writeFileSync } from "node:fs";
const inbox = process.env.PAWL_INBOX, out = process.env.OUT;
const samples = [];
let started = 0;
function next() {
  started = performance.now();
  writeFileSync(process.env.PAWL_PHASE_FILE, "PHASE:bench" + samples.length + "\\n");
}
watch(inbox + "/new", () => {
  for (const name of readdirSync(inbox + "/new")) {
    samples.push(performance.now() - started);
    renameSync(inbox + "/new/" + name, inbox + "/cur/" + name);
    if (samples.length === ${SAMPLES}) { writeFileSync(out, JSON.stringify(samples)); setInterval(() => {}, 1000); }
    else setTimeout(next, 15);
  }
});
next();
`;

export async function benchReaction(busy: boolean): Promise<void> {
  const place = makePlace({ "pawl.toml": config(), "test.sh": "true\n", "agent.mjs": AGENT });
  const loads = busy
    ? [1, 2].map(() => spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }))
    : [];
  try {
    await place.daemon();
    const out = join(place.home, "samples.json");
    await place.api("POST", "/v1/issues", { title: "bench", key: "bench", body: "" });
    const samples = await whenWritten(join(out));
    const { p50, p99, max } = quantiles(samples);
    const title = `phase → reaction, ${SAMPLES} samples, ${busy ? "both cores busy" : "idle"}`;
    const target = busy ? "p99 < 250 ms" : "p50 < 20, p99 < 100 ms";
    print(title, `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)}`, target);
  } finally {
    for (const load of loads) load.kill("SIGKILL");
    await place.close();
  }

  function config(): string {
    return `[project]
name = "bench"
target = "main"
parallel = 1
[agent]
runtime = "command"
command = ["sh", "-c", "OUT=$HOME/home/samples.json exec ${process.execPath} agent.mjs"]
[ci]
none = true
`;
  }
}

async function whenWritten(path: string): Promise<number[]> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(path, "utf8")) as number[];
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== "ENOENT")
        throw error;
      await wait(100);
    }
  }
}
