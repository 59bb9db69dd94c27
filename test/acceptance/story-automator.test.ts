// `story-automator` as a program of its own: the calls, the answers and the exit codes that scripts
// written for it expect.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFactory, writeFiles, type Factory } from "../support/pawl.ts";
import { SHIM } from "../support/seed-script.ts";

const ARTIFACTS = "_bmad-output/implementation-artifacts";

let factory: Factory;
beforeAll(async () => {
  factory = await makeFactory();
});
afterAll(() => factory[Symbol.asyncDispose]());

function automate(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(SHIM, args, {
    cwd: factory.repo,
    env: factory.env,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

const answer = (...args: string[]) => {
  const { code, stdout } = automate("orchestrator-helper", ...args);
  return { code, said: JSON.parse(stdout) as Record<string, unknown> };
};

test("it has a help of its own, and exits with 1 where it is typed wrong; pawl's help has five entries fewer", async () => {
  const names = [
    "tmux-wrapper",
    "monitor-session",
    "tmux-status-check",
    "heartbeat-check",
    "orchestrator-helper",
  ];
  const alone = automate();
  expect([alone.code, alone.stdout]).toEqual([1, ""]);
  for (const name of names) expect(alone.stderr).toContain(`  ${name} `);
  expect(automate("--help")).toMatchObject({ code: 0, stdout: alone.stderr });
  expect(automate("fly")).toMatchObject({ code: 1 });
  expect(automate("fly").stderr).toContain("story-automator: unknown command 'fly'");
  expect(automate("tmux-wrapper", "spawn", "create").code).toBe(1);
  const help = await factory.ok("--help");
  for (const name of names) expect(help).not.toContain(`  ${name}`);
  // Scripts that call them there go on working.
  expect((await factory.pawl("tmux-status-check")).stdout).toBe("error,0,0,no_session,30,error\n");
});

test("help shows defaults in the unit it asks for", () => {
  expect(automate("monitor-session", "--help").stdout).toMatch(
    /--timeout <minutes>.*\(default: 60\)/,
  );
  const look = automate("tmux-status-check", "--help").stdout;
  expect(look).toMatch(/--stuck-after <minutes>.*\(default: 15\)/);
});

test("escalate answers with JSON and exit code 0, whatever it is asked", () => {
  expect(answer("escalate", "review-loop", "cycles=5")).toMatchObject({
    code: 0,
    said: { escalate: true },
  });
  expect(answer("escalate")).toMatchObject({ code: 0, said: { reason: "unknown_trigger" } });
  expect(answer("escalate", "session-crash", "--state-file", "none.md")).toMatchObject({
    code: 0,
    said: { escalate: true, reason: "there is no none.md" },
  });
});

test("state-summary says where an orchestration stands although its policy is bad, with absent keys as empty texts", () => {
  writeFiles(factory.repo, {
    "orchestration-1.md":
      "---\nepic: 7\nstatus: PAUSED\npolicySnapshotFile: gone.json\npolicySnapshotHash: 12345678\n---\n",
  });
  expect(answer("state-summary", "orchestration-1.md")).toEqual({
    code: 0,
    said: {
      ok: true,
      epic: "7",
      epicName: "",
      currentStory: "",
      currentStep: "",
      status: "PAUSED",
      lastUpdated: "",
      policyVersion: "",
      policySnapshotFile: "gone.json",
      policySnapshotHash: "12345678",
      legacyPolicy: false,
      lastAction: "",
      policyError: "the policy snapshot gone.json is missing",
    },
  });
  expect(answer("state-summary", "none.md")).toMatchObject({ code: 1, said: { ok: false } });
});

test("a verifier names the source of its answer, and verify-code-review takes a state document", () => {
  const sprint = (status: string) => ({
    [`${ARTIFACTS}/sprint-status.yaml`]: `development_status:\n  7-1-a: ${status}\n`,
  });
  writeFiles(factory.repo, { ...sprint("done"), [`${ARTIFACTS}/7-1-a.md`]: "Status: review\n" });
  expect(answer("verify-step", "review", "7.1")).toMatchObject({
    code: 0,
    said: { verified: true, source: "sprint-status.yaml" },
  });
  writeFiles(factory.repo, { ...sprint("review"), [`${ARTIFACTS}/7-1-a.md`]: "Status: done\n" });
  const review = ["verify-code-review", "7.1"];
  expect(answer(...review)).toMatchObject({ code: 0, said: { source: "story-file" } });
  expect(answer(...review, "--state-file", "none.md")).toMatchObject({
    code: 1,
    said: { verified: false, reason: "verifier_contract_invalid" },
  });
});
