// How often Pawl does on its own what it was told to do: rounds of patrols, a weekly role, and a
// supervisor that comes although memory is short. Issue 13, item 19.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import type { RoleRoundView } from "../../src/api/roles.ts";
import type { ScheduleView } from "../../src/api/schedules.ts";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

/** Answers a role that may change something, and keeps what a role keeps in the repository. */
const AGENT = `
case $PAWL_NAME in
  *-journal*)
    mkdir -p planner/journal && echo "$PAWL_EPOCH" >> planner/journal/notes.md
    git add -A && git commit -qm Journal ;;
  *) echo '{"summary": "looked", "changes": []}' > "$PAWL_RESULT_FILE" ;;
esac
echo PHASE:done > "$PAWL_PHASE_FILE"
while :; do sleep 0.1; done
`;

const CONFIG = `${shellAgent()}[ci]\nnone = true\n${LIMITS}`;

const schedule = async (factory: Factory, name: string): Promise<ScheduleView> => {
  const all = JSON.parse(await factory.ok("schedule", "list", "--json")) as ScheduleView[];
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no schedule ${name}`);
  return found;
};

type Sign = { last_activity: string; rounds: number };

/** Every round of a patrol leaves its time in a file. */
async function roundsOf(factory: Factory, name: string, count: number): Promise<number[]> {
  const path = join(factory.home, "projects", factory.project, `state/patrols/${name}.json`);
  const seen = new Map<number, number>();
  await factory.until(`${name} was round ${count} times`, async () => {
    if (!existsSync(path)) return false;
    const sign = JSON.parse(readFileSync(path, "utf8")) as Sign;
    seen.set(sign.rounds, Date.parse(sign.last_activity));
    return seen.size >= count;
  });
  return [...seen.values()];
}

const EVERY_MS = 3000;
/** Less than the 2 and 5 minutes that patrols wait where nothing is configured. */
const FIRST_MAX_MS = 110_000;

test.each(["before", "after"] as const)(
  "patrols go round as often as configured, from the first round on, in a project that is added %s the daemon starts",
  async (when) => {
    const patrol = '[patrol]\ndeacon = "3 s"\nwitness = "3 s"\n';
    await using factory = await makeFactory({ config: `${CONFIG}${patrol}` });
    if (when === "before") await factory.ok("init");
    const begun = Date.now();
    await factory.ok("up");
    if (when === "after") await factory.ok("init");
    await Promise.all(
      ["deacon", "witness"].map(async (name) => {
        const times = await roundsOf(factory, name, 4);
        const firstMs = (times[0] ?? Infinity) - begun;
        expect(firstMs, `the first round of the ${name}`).toBeLessThan(FIRST_MAX_MS);
        // On a busy machine a round may be late, but not every one of them.
        const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
        expect(Math.min(...gaps), `gaps of the ${name}`).toBeLessThan(1.5 * EVERY_MS);
      }),
    );
  },
);

test("a weekly planner plans every week", async () => {
  await using factory = await makeFactory({
    config: `${CONFIG}[schedule.plan]\ncron = "0 6 * * 1"\nrole = "planner"\nmemory_mb = 1\n`,
    files: { "agent.sh": AGENT, "VISION.md": "Everything is described.\n" },
  });
  // Daemons whose clock is as far ahead as the file says.
  const ahead = join(factory.root, "ahead");
  const clock = join(factory.root, "clock.mjs");
  writeFileSync(
    clock,
    `import { readFileSync } from "node:fs";
const ahead = Number(readFileSync(${JSON.stringify(ahead)}, "utf8"));
const now = Date.now;
Date.now = () => now() + ahead;
`,
  );
  writeFileSync(ahead, "0");
  factory.env["NODE_OPTIONS"] = `--import=${clock}`;
  const rounds = async (): Promise<number> => {
    const log = await factory.ok("role", "log", "planner", "--json");
    return (JSON.parse(log) as RoleRoundView[]).length;
  };
  await factory.ok("init");
  await factory.ok("up");
  for (const week of [1, 2, 3]) {
    const due = await factory.until("its next time is known", async () => {
      const { next } = await schedule(factory, "plan");
      return next !== null && Date.parse(next);
    });
    await factory.ok("down");
    // A second after its time; the planner answers some seconds after that.
    writeFileSync(ahead, String(due + 1000 - Date.now()));
    await factory.ok("up");
    await factory.until(`it has planned in week ${week}`, async () => {
      const { count, last_result } = await schedule(factory, "plan");
      return count === week && last_result === "finished";
    });
    expect(await rounds()).toBe(week);
  }
});

test("a scheduled supervisor comes although memory is short, and says so as P0", async () => {
  const every = (name: string, role: string): string =>
    `[schedule.${name}]\nevery = "2 s"\nrole = "${role}"\n`;
  await using factory = await makeFactory({
    config: `${CONFIG}${every("watch", "supervisor")}${every("groom", "gardener")}`,
    files: { "agent.sh": AGENT },
  });
  // What the system says of its memory, in every process of this factory.
  const low = join(factory.root, "low.mjs");
  writeFileSync(
    low,
    `import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
const { readFile } = fs;
const figures = "MemTotal:       8000000 kB\\nMemAvailable:    204800 kB\\nSwapTotal: 0 kB\\nSwapFree: 0 kB\\n";
fs.readFile = async (path, ...more) => path === "/proc/meminfo" ? figures : readFile(path, ...more);
syncBuiltinESMExports();
`,
  );
  factory.env["NODE_OPTIONS"] = `--import=${low}`;
  await factory.ok("init");
  await factory.ok("up");
  const text = "P0: 200 MB of memory are free";
  await factory.until("status says that memory is short", async () => {
    const { waits } = await factory.status();
    return waits.some(({ why, needs_you }) => needs_you && why.includes(text));
  });
  const asked = JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[];
  expect(asked.map(({ reason }) => reason).join("\n")).toContain(text);
  // Other roles wait for memory.
  const groom = await factory.until("the gardener is delayed", async () => {
    const one = await schedule(factory, "groom");
    return one.last_result === "delayed" && one;
  });
  expect(groom).toMatchObject({
    count: 0,
    note: "200 MB of memory are free, 2000 are needed",
  });
});
