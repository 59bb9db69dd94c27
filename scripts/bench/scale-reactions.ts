// How quickly a phase is answered while `pawl status` is asked for ten times a second: from the phase
// written to the answer in the agent's inbox. The answer to an invalid phase needs no git and no CI.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Place } from "./place.ts";

const SAMPLES = 200;
const ASK_EVERY_MS = 100;
const REACTIONS_MAX_MS = 120_000;

/** The agent of the issue `reactions` measures; every other one asks a person and waits. */
export const agentFiles = (): Record<string, string> => ({
  "agent.sh": `case "$(git branch --show-current)" in
*reactions*) exec ${process.execPath} agent.mjs ;;
esac
printf 'PHASE:escalate\\n' > "$PAWL_PHASE_FILE"
exec sleep 36000
`,
  "agent.mjs": `
import { readdirSync, renameSync, watch, writeFileSync } from "node:fs";
const inbox = process.env.PAWL_INBOX, samples = [];
let started = 0;
function next() {
  started = performance.now();
  writeFileSync(process.env.PAWL_PHASE_FILE, "PHASE:bench" + samples.length + "\\n");
}
watch(inbox + "/new", () => {
  for (const name of readdirSync(inbox + "/new")) {
    samples.push(performance.now() - started);
    renameSync(inbox + "/new/" + name, inbox + "/cur/" + name);
    if (samples.length === ${SAMPLES}) {
      writeFileSync(process.env.PAWL_HOME + "/samples.json", JSON.stringify(samples));
      setInterval(() => {}, 1000);
    } else setTimeout(next, 15);
  }
});
next();
`,
});

export async function reactions(place: Place): Promise<number[]> {
  await place.api("POST", "/v1/issues", { title: "reactions", key: "reactions", body: "" });
  const out = join(place.home, "samples.json");
  const until = Date.now() + REACTIONS_MAX_MS;
  while (!existsSync(out)) {
    if (Date.now() > until) throw new Error("phases were not answered in time");
    await place.api("GET", "/v1/status");
    await wait(ASK_EVERY_MS);
  }
  return whenWhole(out);
}

/** It may be seen while it is written. */
async function whenWhole(path: string): Promise<number[]> {
  for (;;) {
    const text = readFileSync(path, "utf8");
    if (text.endsWith("]")) return JSON.parse(text) as number[];
    await wait(ASK_EVERY_MS);
  }
}
