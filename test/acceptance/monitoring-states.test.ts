// Every verdict of the monitoring commands, each produced by a real session and read through the commands.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFactory, type Factory } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

let factory: Factory;
beforeAll(async () => {
  factory = await makeFactory({ files: { "test.sh": "test ! -e broken\n" } });
});
afterAll(() => factory[Symbol.asyncDispose]());

type Monitored = {
  final_state: string;
  todos_done: number;
  todos_total: number;
  output_file: string;
  exit_reason: string;
  output_verified: boolean;
};

const begin = (step: string, story: string, command: string): Promise<string> =>
  factory.ok("tmux-wrapper", "spawn", step, story.split(".")[0] ?? "", story, "--command", command);

const monitor = async (name: string, ...options: string[]): Promise<Monitored> =>
  JSON.parse(await factory.ok("monitor-session", name, "--json", ...options)) as Monitored;

const SECTIONS = "## Story\\nx\\n## Acceptance Criteria\\nx\\n## Tasks\\nx\\n";
const ARTIFACTS = "_bmad-output/implementation-artifacts";

test("completed: the step is verified by what it left behind", async () => {
  const make = `mkdir -p ${ARTIFACTS} && printf '${SECTIONS}' >${ARTIFACTS}/1-1-login.md; echo '☒ one'; echo '☐ two'; echo THE END`;
  const name = await begin("create", "1.1", make);
  const result = await monitor(name);
  expect(result).toMatchObject({
    final_state: "completed",
    exit_reason: "verified_complete",
    output_verified: true,
    todos_done: 1,
    todos_total: 2,
  });
  expect(readFileSync(result.output_file, "utf8").trimEnd().endsWith("THE END")).toBe(true);
});

test("incomplete: an exit with code 0 proves no work", async () => {
  const nothing = await monitor(await begin("dev", "1.2", "echo I am done"));
  expect(nothing).toMatchObject({
    final_state: "incomplete",
    exit_reason: "no_changes_since_spawn",
    output_verified: false,
  });
  const broken = await monitor(await begin("dev", "1.3", "touch broken"));
  expect(broken).toMatchObject({ final_state: "incomplete", exit_reason: "tests_failed" });
  const fixed = await monitor(await begin("dev", "1.4", "rm broken; echo x >made"));
  expect(fixed).toMatchObject({ final_state: "completed", output_verified: true });
});

test("crashed: the exit code is that of the agent, or of its signal", async () => {
  const exited = await monitor(await begin("dev", "2.1", "echo last words; exit 9"));
  expect(exited).toMatchObject({ final_state: "crashed", exit_reason: "exit_code_9" });
  expect(readFileSync(exited.output_file, "utf8")).toContain("last words");
  const killed = await monitor(await begin("dev", "2.2", "kill -KILL $$"));
  expect(killed).toMatchObject({ final_state: "crashed", exit_reason: "exit_code_137" });
});

test("stuck: no progress of any kind for as long as was said", async () => {
  const name = await begin("dev", "3.1", "echo begun; exec sleep 1000");
  const result = await monitor(name, "--stuck-after", "0.02");
  expect(result).toMatchObject({ final_state: "stuck", exit_reason: "no_progress" });
  await factory.ok("tmux-wrapper", "kill", name);
});

test("timeout: the timeout is the timeout, and a clock that advances is never stuck, whatever is shown behind it", async () => {
  const clock =
    "while :; do printf '\\rx | ctx(3%%) | %s | auto-accept on' \"$(date +%T)\"; sleep 1; done";
  const name = await begin("dev", "3.2", clock);
  const result = await monitor(name, "--stuck-after", "0.3", "--timeout", "0.4");
  expect(result).toMatchObject({ final_state: "timeout", exit_reason: "exceeded_0.4m" });
  await factory.ok("tmux-wrapper", "kill", name);
});

test("not_found: an unknown name, and a session that is killed while it is watched", async () => {
  expect(await monitor("sa-unknown-1")).toMatchObject({
    final_state: "not_found",
    exit_reason: "session_gone",
  });
  const name = await begin("dev", "3.3", "exec sleep 1000");
  const watching = factory.background("monitor-session", name, "--verbose", "--json");
  await factory.until("it reports", async () => watching.output().includes(name));
  await factory.ok("tmux-wrapper", "kill", name);
  const { stdout, code } = await watching.ended;
  expect(JSON.parse(stdout)).toMatchObject({ final_state: "not_found" });
  expect(code).toBe(0);
});

test("a monitor that dies is no failed step: the next call says how it went", async () => {
  const name = await begin("other", "4.1", "read line; exit 3");
  const first = factory.background("monitor-session", name, "--verbose");
  await factory.until("it reports", async () => first.output().includes(name));
  first.kill("SIGKILL");
  await first.ended;
  const second = factory.background("monitor-session", name, "--exit-code");
  factory.shell('tmux -S "$1" send-keys -t "=$2:" Enter', factory.socket, name);
  const { stdout, code } = await second.ended;
  expect(stdout).toMatch(/^crashed,0,0,\/.*\.txt,exit_code_3\n$/);
  expect(code).toBe(11);
});

test("the agent's own word ends an interactive session, and verification decides what it is", async () => {
  const says = 'printf "PHASE:turn_ended\\n" >"$PAWL_PHASE_FILE"; exec sleep 1000';
  const name = await begin("other", "4.2", says);
  expect(await monitor(name)).toMatchObject({ final_state: "completed", output_verified: false });
  await factory.ok("tmux-wrapper", "kill", name);
});

test("a session may be watched from any folder, and is verified in its own", async () => {
  const name = await begin("dev", "4.3", "echo y >>made");
  const options = { cwd: factory.root, env: factory.env, encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, [MAIN, "monitor-session", name], options);
  expect(stdout).toMatch(/^completed,0,0,.*,verified_complete\n$/);
});
