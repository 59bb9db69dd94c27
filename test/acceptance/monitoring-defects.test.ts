// Defects that the original of these commands has, each by its number.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFactory, type Factory } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

let factory: Factory;
beforeAll(async () => {
  factory = await makeFactory();
});
afterAll(() => factory[Symbol.asyncDispose]());

const begin = (story: string, command: string, ...more: string[]): Promise<string> =>
  factory.ok("tmux-wrapper", "spawn", "other", "1", story, "--command", command, ...more);

const exists = async (name: string): Promise<boolean> =>
  (await factory.pawl("tmux-wrapper", "exists", name)).stdout.trim() === "true";

const inTmux = (): string =>
  spawnSync("tmux", ["-S", factory.socket, "list-sessions", "-F", "#{session_name}"], {
    encoding: "utf8",
  }).stdout;

const SLEEP = "exec sleep 1000";

test("defect 11: killing …-r2 leaves …-r22 alone", async () => {
  const other = await begin("1.1", SLEEP, "--cycle", "22");
  const stem = other.replace(/22$/, "2");
  await factory.ok("tmux-wrapper", "kill", stem);
  await factory.ok("tmux-wrapper", "kill", other.slice(0, -4));
  expect(inTmux()).toContain(other);
  await factory.ok("tmux-wrapper", "kill", other);
  expect(inTmux()).not.toContain(other);
  expect(await exists(other)).toBe(false);
});

test("defect 13: spawns in the same second get names of their own, and all live", async () => {
  const names = await Promise.all([1, 2, 3].map(() => begin("1.2", SLEEP)));
  expect(new Set(names).size).toBe(3);
  for (const name of names) {
    const row = await factory.ok("tmux-status-check", name);
    expect(row).toMatch(/^active,/);
  }
  await factory.ok("tmux-wrapper", "kill-all", "--project-only");
});

test("defect 14: a checkout with the same folder name has sessions of its own", async () => {
  const twin = join(factory.root, "other", "repo");
  mkdirSync(twin, { recursive: true });
  const asTwin = (...args: string[]) => {
    const options = { cwd: twin, env: factory.env, encoding: "utf8" } as const;
    return spawnSync(process.execPath, [MAIN, ...args], options);
  };
  const mine = await begin("1.3", SLEEP);
  const theirs = asTwin("tmux-wrapper", "spawn", "other", "1", "1.3", "--command", SLEEP);
  const name = theirs.stdout.trim();
  expect(await factory.ok("tmux-wrapper", "list", "--project-only")).toBe(mine);
  expect(asTwin("tmux-wrapper", "list", "--project-only").stdout.trim()).toBe(name);
  expect(await factory.ok("tmux-wrapper", "kill-all", "--project-only")).toBe("Killed 1 sessions");
  expect((await factory.pawl("tmux-wrapper", "kill", name)).code).toBe(1);
  expect(inTmux()).toContain(name);
  expect(asTwin("tmux-wrapper", "kill-all", "--project-only").stdout).toBe("Killed 1 sessions\n");
});

test('defect 15: "Done for 3m" on the screen ends nothing', async () => {
  const name = await begin("1.4", "echo 'Done for 3m'; printf '❯ '; read line; exit 4");
  const watching = factory.background("monitor-session", name, "--verbose", "--json");
  await factory.until("it is seen", async () => watching.output().includes("in_progress"));
  expect(await factory.ok("tmux-status-check", name)).toMatch(/in_progress$/);
  factory.shell('tmux -S "$1" send-keys -t "=$2:" Enter', factory.socket, name);
  const { stdout } = await watching.ended;
  expect(JSON.parse(stdout)).toMatchObject({ final_state: "crashed", exit_reason: "exit_code_4" });
});

test("defect 16: a spinner is no progress, and a full core reads as alive", async () => {
  const spin =
    "while :; do for c in '|' / - '\\'; do printf '\\r%s Working' \"$c\"; sleep 0.3; done; done";
  const spinner = await begin("1.5", spin);
  const verdict = await factory.ok("monitor-session", spinner, "--stuck-after", "0.05");
  expect(verdict).toMatch(/^stuck,0,0,.*,no_progress$/);
  const busy = await begin("1.6", "sh -c 'while :; do :; done'");
  const [status, cpu] = (await factory.ok("heartbeat-check", busy)).split(",");
  expect(status).toBe("alive");
  // How much of a core it gets depends on what else runs.
  expect(Number(cpu)).toBeGreaterThan(0);
  const watching = factory.background(
    "monitor-session",
    busy,
    "--stuck-after",
    "0.1",
    "--timeout",
    "0.3",
  );
  expect((await watching.ended).stdout).toMatch(/^timeout,/);
  await factory.ok("tmux-wrapper", "kill-all", "--project-only");
});

test("defect 20: the exported output is whole, and ends with the end", async () => {
  const name = await begin(
    "1.7",
    "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i.; done; echo RESULT",
  );
  const row = await factory.ok("monitor-session", name, "--json");
  const { output_file: file } = JSON.parse(row) as { output_file: string };
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([3001, "line 1.", "RESULT"]);
});

test("a label with commas stays one column", async () => {
  const name = await begin("1.8", "echo 'Running tests, lint, build'; exec sleep 1000");
  const row = await factory.until("the label is seen", async () => {
    const text = await factory.ok("tmux-status-check", name);
    return text.includes("lint") && text;
  });
  expect(row).toBe('active,0,0,"Running tests, lint, build",120,in_progress');
});

test.each([
  [
    "advances",
    "while :; do printf '\\rx | ctx(1%%) | %s' \"$(date +%T)\"; sleep 0.2; done",
    "just_started",
  ],
  ["stands still", "printf 'x | ctx(1%%) | 10:00:00'; exec sleep 1000", "stuck"],
  ["is not there", "echo x; exec sleep 1000", "stuck"],
])("a statusline whose clock %s", async (_, command, second) => {
  const name = await begin("1.9", command);
  const check = async (): Promise<string> =>
    (await factory.ok("tmux-status-check", name, "--stuck-after", "0")).split(",").at(-1) ?? "";
  await factory.until("the screen is drawn", async () => screenOf(name).includes("x"));
  const first = await check();
  const advanced = async (): Promise<string | false> => (await check()) === second && second;
  await factory.until(`the next look finds it ${second}`, advanced);
  expect(first).toBe(command.includes("ctx") ? "just_started" : "stuck");
  await factory.ok("tmux-wrapper", "kill", name);
});

const screenOf = (name: string): string =>
  spawnSync("tmux", ["-S", factory.socket, "capture-pane", "-p", "-t", `=${name}:`], {
    encoding: "utf8",
  }).stdout;
