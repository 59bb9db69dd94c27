import { expect, test } from "vitest";
import { Answers, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import { runtimeFolder, tmuxSocket } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";

test.each([
  ["stop", "stopped #7 (run 7.1): working\nits agent has ended; `pawl retry #7` resumes the run\n"],
  ["retry", "resuming #7 (run 7.1): working\n"],
  ["hold", "holding #7 (run 7.1): working\n"],
  ["release", "released #7 (run 7.1): working\n"],
])("%s is sent with the name of the person", async (verb, said) => {
  const answers = {
    [`POST /v1/runs/%237/${verb}`]: { issue: 7, run: "7.1", doing: "working", outcome: null },
  };
  expect(await pawl([verb, "#7"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: said,
    calls: [[`POST /v1/runs/%237/${verb}`, { by: "ada" }]],
  });
});

test("a run that is over is not resumed: its issue gets a new one", async () => {
  const run = { issue: 7, run: "7.1", doing: "closed", outcome: "closed" };
  const { code, stderr } = await pawl(["retry", "7"], {
    answers: { "POST /v1/runs/7/retry": run },
  });
  expect([code, stderr]).toEqual([
    0,
    "#7 is tried again: a new run begins when a place is free\n`pawl why 7` says what it waits for\n",
  ]);
});

test("without a daemon, retry says when the run continues", async () => {
  const answers = {
    "POST /v1/runs/7/retry": { issue: 7, run: "7.1", doing: "working", outcome: null },
  };
  const { stderr } = await pawl(["retry", "7"], { answers, daemonRuns: false });
  expect(stderr).toBe(
    "#7 (run 7.1) continues as soon as a daemon runs: start one with `pawl up` or `pawl run`\n",
  );
});

test("without a daemon, retry of a run that is over names no old run", async () => {
  const run = { issue: 7, run: "7.1", doing: "closed", outcome: "blocked" };
  const answers = { "POST /v1/runs/7/retry": run };
  const { stderr } = await pawl(["retry", "7"], { answers, daemonRuns: false });
  expect(stderr).toContain(
    "#7 is tried again: a new run begins when a daemon runs: `pawl up` or `pawl run`\n",
  );
});

test.each([{ alive: true }, { alive: false, starting: true }])(
  "stop says that the agent is still being ended: %j",
  async (agent) => {
    const run = { issue: 7, run: "7.1", doing: "working", ...agent };
    const { stderr } = await pawl(["stop", "7"], { answers: { "POST /v1/runs/7/stop": run } });
    expect(stderr).toContain("its agent is being ended");
  },
);

test("attaching gives the terminal to tmux, which says how to leave", async () => {
  const env = { XDG_RUNTIME_DIR: "/run/user/7", PAWL_HOME: "/home/ada/factory" };
  const socket = tmuxSocket(runtimeFolder(env, "/home/ada/factory"));
  const answers = { "GET /v1/runs/7/attach": { session: "dev-toy-7" } };
  const attached = await pawlOnTty(["attach", "7"], { answers, env });
  expect(attached).toMatchObject({ code: 0, stdout: "" });
  const [argv = []] = attached.started;
  const attach = ["tmux", "-u", "-S", socket, "attach-session", "-t", "=dev-toy-7", ";"];
  expect(argv.slice(0, attach.length)).toEqual(attach);
  expect(argv.slice(-2)).toEqual([
    "display-message",
    "Leave with Ctrl-b d: the agent keeps running.",
  ]);
});

test.each([
  { argv: ["sh", "-c", "id"] },
  { session: "-x" },
  { session: "dev;id" },
  { session: "a:1.0" },
  { session: ["sh"] },
  { session: "" },
])("what the daemon answers is never run: %j", async (answer) => {
  const answers = { "GET /v1/runs/7/attach": answer };
  const refused = await pawlOnTty(["attach", "7"], { answers });
  expect(refused).toMatchObject({ code: 1, started: [] });
  expect(refused.stderr).toContain("cannot attach");
});

test("attaching needs a terminal and a living session", async () => {
  expect(await pawl(["attach", "7"])).toMatchObject({ code: 2, calls: [], started: [] });
  const gone = new OperationError("no living session", { code: "no-session" });
  const answers = { "GET /v1/runs/7/attach": gone };
  expect(await pawlOnTty(["attach", "7"], { answers })).toMatchObject({ code: 1, started: [] });
});

test("logs are the end of what was shown", async () => {
  const text = "one\ntwo\nthree";
  const answers = { "GET /v1/runs/7/log?bytes=2000000": { text, next: 9, over: false } };
  expect(await pawl(["logs", "7"], { answers })).toMatchObject({ stdout: `${text}\n`, stderr: "" });
  expect(await pawl(["logs", "7", "--lines", "2"], { answers })).toMatchObject({
    stdout: "two\nthree\n",
  });
  const run = { issue: 5, identity: "dev-5", pr: 7 };
  const ofPr = { "GET /v1/runs/7/log?bytes=2000000": { text, run } };
  expect((await pawl(["logs", "7"], { answers: ofPr })).stderr).toBe(
    "#7 is the PR of #5; this is about #5\n",
  );
  expect(await pawl(["logs", "7", "--lines", "0"], { answers })).toMatchObject({ code: 2 });
});

test("following goes on from where it stood until the run is over", async () => {
  const answers = {
    "GET /v1/runs/7/log?bytes=2000000": { text: "", next: 5, over: false },
    "GET /v1/runs/7/log?bytes=2000000&after=5": new Answers(
      { text: "", next: 5, over: false },
      { text: "news\n", next: 10, over: false },
    ),
    "GET /v1/runs/7/log?bytes=2000000&after=10": { text: "end\n", next: 14, over: true },
  };
  expect(await pawl(["logs", "7", "-f"], { answers, looks: 9 })).toMatchObject({
    code: 0,
    stdout: "news\nend\n",
    stderr: "the agent of #7 has shown nothing on its terminal yet\n",
  });
});

const DIFF = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n";

test("a diff is printed as it is, or its statistics alone", async () => {
  const answers = { "GET /v1/runs/7/diff": { log: "", stat: " a | 2 +-", diff: DIFF } };
  expect(await pawl(["diff", "7"], { answers })).toMatchObject({ stdout: DIFF });
  expect(await pawl(["diff", "7", "--stat"], { answers })).toMatchObject({ stdout: " a | 2 +-\n" });
  const { stdout } = await pawlOnTty(["diff", "7"], { answers, colour: true });
  expect(stdout).toContain("\u001b[31m-old\u001b[39m\n\u001b[32m+new\u001b[39m\n");
});

test("no changes yet is no failure", async () => {
  const answers = { "GET /v1/runs/7/diff": { log: "", stat: "", diff: "" } };
  expect(await pawl(["diff", "7"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "#7 has changed nothing yet\n",
  });
});

test("why is told line by line", async () => {
  const answers = { "GET /v1/why/7": { lines: ["#7 is ready", "all places are taken"] } };
  expect(await pawl(["why", "7"], { answers })).toMatchObject({
    stdout: "#7 is ready\nall places are taken\n",
  });
  const { stdout } = await pawl(["why", "7", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual({ lines: ["#7 is ready", "all places are taken"] });
});
