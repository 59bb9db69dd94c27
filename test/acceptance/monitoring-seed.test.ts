// An orchestrator's script, word for word, with a fake agent; and what the orchestrator's questions
// are answered with after real sessions.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFactory, writeFiles, type Factory } from "../support/pawl.ts";
import { SEED_SCRIPT, SHIM } from "../support/seed-script.ts";

const ARTIFACTS = "_bmad-output/implementation-artifacts";

const AGENT = `#!/bin/sh
echo "working on: $*"
mkdir -p ${ARTIFACTS}
printf '# Story 5.3\\n\\n## Story\\nAs a user.\\n\\n## Acceptance Criteria\\n1. It works.\\n\\n## Tasks\\n- [ ] Do it\\n' >${ARTIFACTS}/5-3-login.md
`;

/** Runs the hooks of its settings as Claude Code does, shows its statusline, and never exits. */
const CLAUDE = `#!/bin/sh
settings=\${1#--settings=}
hook() { sh -c "$(jq -r ".hooks.$1[0].hooks[0].command" "$settings")"; }
echo '{}' | hook UserPromptSubmit
echo '{"background_tasks":[{"id":1}],"session_crons":[]}' | hook Stop
cp "$PAWL_PHASE_FILE" "$HOME/after-first-stop"
echo '{"context_window":{"current_usage":{},"used_percentage":7,"remaining_percentage":93},"rate_limits":{"five_hour":{"used_percentage":50}}}' |
  sh -c "$(jq -r .statusLine.command "$settings")"
fake-agent
echo '{"background_tasks":[],"session_crons":[]}' | hook Stop
exec sleep 1000
`;

let factory: Factory;
beforeAll(async () => {
  factory = await makeFactory({ files: { "orchestration-5.md": "---\nstatus: READY\n---\n" } });
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  program("fake-agent", AGENT);
  program("claude", CLAUDE);
  program("small-model", "#!/bin/sh\ncat >$HOME/prompt\ncat $HOME/answer\n");
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  factory.env["AI_COMMAND"] = "fake-agent";
  factory.env["AI_PARSE_COMMAND"] = "small-model";
});
afterAll(() => factory[Symbol.asyncDispose]());

const ask = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await factory.pawl("orchestrator-helper", ...args)).stdout) as Record<
    string,
    unknown
  >;

test("the seed's five calls run word for word", async () => {
  const script = `scripts=$1; state_file=orchestration-5.md\n${SEED_SCRIPT}
printf '%s\\n%s\\n%s\\n' "$session_name" "$result" "$validation"`;
  const done = spawnSync("bash", ["-eu", "-c", script, "bash", SHIM], {
    cwd: factory.repo,
    env: factory.env,
    encoding: "utf8",
  });
  const [name = "", result = "", validation = ""] = done.stdout.split("\n");
  expect(done.stderr).toContain(name);
  expect(name).toMatch(/^sa-repo-\d{6}-\d{6}-e5-s5-3-create$/);
  expect(JSON.parse(result)).toMatchObject({ final_state: "completed", output_verified: true });
  expect(JSON.parse(validation)).toMatchObject({
    verified: true,
    story_file: `${ARTIFACTS}/5-3-login.md`,
  });
  expect(await factory.ok("tmux-wrapper", "list")).toBe("");
});

test("without --command the step's own is spawned", async () => {
  const name = await factory.ok("tmux-wrapper", "spawn", "create", "5", "5.3");
  expect(await factory.ok("monitor-session", name)).toMatch(/^completed,0,0,.*,verified_complete$/);
});

test("an interactive Claude Code is over when its turn is, and nothing goes on behind it", async () => {
  const words = ["create", "5", "5.3", "--agent", "claude"];
  const name = await factory.ok("tmux-wrapper", "spawn", ...words);
  const row = await factory.ok("monitor-session", name);
  expect(row).toMatch(/^completed,0,0,.*,verified_complete$/);
  expect(factory.read("user", "after-first-stop")).toBe("PHASE:working\n");
  expect(await factory.ok("tmux-wrapper", "exists", name)).toBe("true");
  const output = /,(\/[^,]*),/.exec(row)?.[1] ?? "";
  expect(readFileSync(output, "utf8")).toMatch(/^repo \| ctx\(7%\) \| \d\d:\d\d:\d\d/);
  await factory.ok("tmux-wrapper", "kill", name);
});

test("a story is verified by its content: an empty or second file is none", async () => {
  writeFiles(factory.repo, { [`${ARTIFACTS}/6-1-a.md`]: "" });
  expect(await ask("verify-step", "create", "6.1")).toMatchObject({
    verified: false,
    reason: "story_file_empty",
  });
  writeFiles(factory.repo, { [`${ARTIFACTS}/6-1-a.md`]: "## Story\nx\n" });
  expect(await ask("verify-step", "create", "6.1")).toMatchObject({
    reason: "story_sections_missing",
    missing: ["Acceptance Criteria", "Tasks"],
  });
  writeFiles(factory.repo, { [`${ARTIFACTS}/6-1-b.md`]: "x" });
  expect(await ask("verify-step", "create", "6.1")).toMatchObject({
    reason: "unexpected_story_artifact_count",
    found: 2,
  });
});

test("a review is done when its status says so and nothing severe is open", async () => {
  const sprint = (status: string) => ({
    [`${ARTIFACTS}/sprint-status.yaml`]: `development_status:\n  7-1-a: ${status}\n`,
  });
  const story = `${ARTIFACTS}/7-1-a.md`;
  writeFiles(factory.repo, { ...sprint("review"), [story]: "Status: review\n" });
  expect(await ask("verify-step", "review", "7.1")).toMatchObject({
    verified: false,
    reason: "workflow_not_complete",
  });
  writeFiles(factory.repo, { ...sprint("done"), [story]: "- [ ] [High] a hole\n" });
  expect(await ask("verify-step", "review", "7.1")).toMatchObject({ reason: "blocking_findings" });
  expect((await factory.pawl("orchestrator-helper", "verify-code-review", "7.1")).code).toBe(1);
  writeFiles(factory.repo, { [story]: "- [x] [High] a hole\n" });
  expect(await ask("verify-step", "review", "7.1")).toMatchObject({ verified: true });
  expect(await ask("sprint-status", "get", "7.1")).toEqual({
    found: true,
    story: "7-1-a",
    status: "done",
    done: true,
  });
});

test("a retrospective counts only if it was written since the spawn", async () => {
  const retro = `${ARTIFACTS}/epic-8-retro-2026.md`;
  writeFiles(factory.repo, { [retro]: "an old one\n" });
  const monitor = async (command: string): Promise<string> => {
    const words = ["retro", "8", "8", "--command", command];
    const name = await factory.ok("tmux-wrapper", "spawn", ...words);
    return factory.ok("monitor-session", name);
  };
  expect(await monitor("true")).toMatch(/^incomplete,.*,no_artifact_since_spawn$/);
  expect(await monitor(`echo new >${retro}`)).toMatch(/^completed,/);
});

test("attempts are counted by what happened, over all calls", async () => {
  const crash = async (): Promise<void> => {
    const words = ["dev", "9", "9.1", "--command", "printf %0200d 0; exit 7"];
    const name = await factory.ok("tmux-wrapper", "spawn", ...words);
    expect(await factory.ok("monitor-session", name)).toMatch(/^crashed,/);
    await factory.ok("tmux-wrapper", "kill", name);
  };
  const next = () => ask("next-attempt", "dev", "9-1-login", "--fallback", "codex");
  expect(await next()).toMatchObject({ action: "start", agent: "claude" });
  await crash();
  expect(await next()).toMatchObject({ action: "retry", agent: "codex", attempt: 2 });
  await crash();
  await crash();
  expect(await next()).toMatchObject({ action: "escalate", reason: "crash_retries_exhausted" });
  expect(await ask("escalate", "session-crash", "retries=1")).toMatchObject({ action: "retry" });
  expect(await ask("escalate", "session-crash", "retries=2")).toMatchObject({ escalate: true });
});

test("a small model reads the end of the output, and a wrong answer is an error", async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index}.`).join("\n");
  const file = join(factory.root, "output.txt");
  writeFileSync(file, `${lines}\nALL TESTS PASSED\n`);
  const answer = {
    status: "SUCCESS",
    summary: "ok",
    next_action: "proceed",
    tests_passed: true,
    build_passed: true,
  };
  const answered = (text: string): void => writeFileSync(join(factory.root, "user/answer"), text);
  answered(`Sure:\n${JSON.stringify(answer, null, 1)}\n`);
  expect(await ask("parse-output", file, "dev")).toEqual(answer);
  expect(factory.read("user", "prompt")).toContain("ALL TESTS PASSED");
  expect(factory.read("user", "prompt")).not.toContain("line 0.");
  answered('{"status":"SUCCESS"}');
  const wrong = await factory.pawl("orchestrator-helper", "parse-output", file, "dev");
  expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([1, { status: "error" }]);
  expect(await ask("parse-output", join(factory.root, "none"), "dev")).toMatchObject({
    reason: "output file not found or empty",
  });
});

test("a state document whose policy has drifted stops the command", async () => {
  const policy = '{"version":1}\n';
  const hash = createHash("md5").update(policy).digest("hex").slice(0, 8);
  const state = (status: string, at: string): string =>
    `---\nepic: 7\nstatus: ${status}\nlastUpdated: ${at}\npolicySnapshotFile: policy.json\npolicySnapshotHash: ${hash}\n---\n## Action Log\n- begun\n- reviewed 7.1\n`;
  writeFiles(factory.repo, {
    "policy.json": policy,
    "states/orchestration-7.md": state("PAUSED", "2026-11-15T10:00:00Z"),
    "states/orchestration-6.md": state("COMPLETE", "2026-11-15T11:00:00Z"),
    "no-state.md": "# nothing\n",
  });
  const file = "states/orchestration-7.md";
  expect(await ask("state-list", "states")).toMatchObject({ ok: true, files: [{}, {}] });
  expect(await ask("state-latest", "states")).toMatchObject({ status: "COMPLETE" });
  expect(await ask("state-latest-incomplete", "states")).toMatchObject({
    path: join(factory.repo, file),
  });
  expect(await ask("state-update", file, "--set", "status=IN_PROGRESS", "other=x")).toEqual({
    ok: true,
    updated: ["status"],
  });
  expect(await ask("state-summary", file)).toMatchObject({
    ok: true,
    epic: "7",
    status: "IN_PROGRESS",
    legacyPolicy: false,
    lastAction: "reviewed 7.1",
  });
  expect(await ask("verify-step", "review", "7.1", "--state-file", file)).toMatchObject({
    verified: true,
  });
  writeFiles(factory.repo, { "policy.json": '{"version":2}\n' });
  const drifted = await factory.pawl(
    "orchestrator-helper",
    "verify-step",
    "review",
    "7.1",
    "--state-file",
    file,
  );
  expect([drifted.code, JSON.parse(drifted.stdout)]).toMatchObject([
    1,
    {
      verified: false,
      reason: "verifier_contract_invalid",
      error: expect.stringContaining("has changed"),
    },
  ]);
  const words = ["escalate", "session-crash", "retries=0"];
  expect(await ask(...words)).toMatchObject({ escalate: false });
  factory.env["STORY_AUTOMATOR_STATE_FILE"] = file;
  expect(await ask(...words)).toMatchObject({ escalate: true });
  delete factory.env["STORY_AUTOMATOR_STATE_FILE"];
  const refused = await factory.pawl(
    "tmux-wrapper",
    "build-cmd",
    "create",
    "7.1",
    "--state-file",
    "no-state.md",
  );
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("no front matter")]);
});

test("small questions about stories are answered from the project's files", async () => {
  writeFiles(factory.repo, {
    [`${ARTIFACTS}/sprint-status.yaml`]:
      "development_status:\n  8-10-last: backlog\n  8-2-next: done\n",
    [`${ARTIFACTS}/8-2-next.md`]: "# Story 8.2: Next\n\nStatus: Ready for Review\n",
  });
  expect(await ask("normalize-key", "8.2")).toEqual({
    ok: true,
    id: "8.2",
    prefix: "8-2",
    key: "8-2-next",
  });
  expect(await factory.ok("orchestrator-helper", "normalize-key", "8-10", "--to", "key")).toBe(
    "8-10-last",
  );
  expect(await ask("story-file-status", "8.2")).toMatchObject({
    status: "ready-for-review",
    title: "Story 8.2: Next",
  });
  expect(await ask("get-epic-stories", "8")).toMatchObject({ stories: ["8-2-next", "8-10-last"] });
  expect(await ask("check-epic-complete", "8", "8.2")).toMatchObject({ isLastStory: false });
  expect(await ask("check-epic-complete", "8", "8-10-last")).toMatchObject({ isLastStory: true });
  expect(await ask("commit-ready", "8.2")).toMatchObject({ ready: true });
  expect(await ask("commit-ready", "8.10")).toMatchObject({
    ready: false,
    reason: "story_not_done",
  });
});

test("a marker is made, found, kept fresh and removed", async () => {
  const marker = (...args: string[]) => factory.ok("orchestrator-helper", "marker", ...args);
  expect(await marker("check")).toBe('{"exists":false}');
  const story = ["--epic", "5", "--story", "5.3", "--remaining", "2"];
  const beat = "2026-01-01T00:00:00.000Z";
  const more = ["--project-slug", "mine", "--pid", "7", "--heartbeat", beat];
  await marker("create", ...story, ...more, "--state-file", "orchestration-5.md");
  const made = JSON.parse((await marker("check")).split("\n").slice(1).join("\n")) as object;
  expect(made).toMatchObject({
    currentStory: "5.3",
    stateFile: "orchestration-5.md",
    heartbeat: beat,
    pid: 7,
    projectSlug: "mine",
  });
  await marker("heartbeat");
  expect(await marker("check")).not.toContain(beat);
  await marker("remove");
  expect((await factory.pawl("orchestrator-helper", "marker", "heartbeat")).code).toBe(1);
});
