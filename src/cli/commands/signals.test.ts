import { expect, test } from "vitest";
import { ago, Answers, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import { SIGNAL_KINDS } from "../../core/signal.ts";
import type { SignalView } from "../../api/signals.ts";

const READY: SignalView = {
  seq: 4,
  kind: "MERGE_READY",
  at: ago(2),
  project: "toy",
  identity: "dev-7",
  run: "7.1",
  detail: { branch: "pawl/7-fix" },
};
const PING: SignalView = {
  ...READY,
  seq: 5,
  kind: "WITNESS_PING",
  identity: null,
  run: null,
  detail: {},
};

test("signals are a table for people and lines for pipes", async () => {
  const answers = { "GET /v1/signals": [READY, PING] };
  expect((await pawlOnTty(["signals"], { answers })).stdout).toMatchInlineSnapshot(`
    "AT         SIGNAL        PROJECT  IDENTITY  DETAIL
    2 min ago  MERGE_READY   toy      dev-7     branch: pawl/7-fix
    2 min ago  WITNESS_PING  toy
    "
  `);
  expect((await pawl(["signals"], { answers })).stdout).toMatchInlineSnapshot(`
    "2026-03-01T11:58:00.000Z	MERGE_READY	toy	dev-7	{"branch":"pawl/7-fix"}
    2026-03-01T11:58:00.000Z	WITNESS_PING	toy		
    "
  `);
});

test("a person sees what is special of a signal first, and which command has the rest", async () => {
  const session_id = "dev-7-1@shop";
  const ended = { kind: "AGENT_TERMINATED", detail: { session_id, verdict: "completed" } };
  const reason = "the agent has written nothing for half an hour and asked no person for anything";
  const stuck = { kind: "ORCHESTRATOR_STUCK", detail: { session_id, reason, times: 1 } };
  const rows = [ended, stuck].map((one) => ({ ...READY, ...one }));
  const answers = { "GET /v1/signals": rows };
  const { stdout, stderr } = await pawlOnTty(["signals"], { answers, columns: 80 });
  expect(stdout).toContain("dev-7     verdict: completed\n");
  expect(stdout).toContain("dev-7     reason: the agent");
  expect(stderr).toBe("`pawl signals --json` shows all details\n");
  const one = { "GET /v1/signals": rows.slice(0, 1) };
  expect((await pawlOnTty(["signals"], { answers: one, columns: 80 })).stderr).toBe("");
});

test("a follower gets one JSON object per line, each once", async () => {
  const answers = {
    "GET /v1/signals?kind=merge_ready&kind=X": [READY],
    "GET /v1/signals?kind=merge_ready&kind=X&after=4": new Answers([], [PING]),
    "GET /v1/signals?kind=merge_ready&kind=X&after=5": [],
  };
  const argv = ["signals", "--follow", "--json", "--kind", "merge_ready", "--kind", "X"];
  const { code, stdout, calls } = await pawl(argv, { answers, looks: 3 });
  expect(code).toBe(0);
  expect(stdout).toBe(`${JSON.stringify(READY)}\n${JSON.stringify(PING)}\n`);
  expect(calls).toHaveLength(4);
});

test("the help says of every kind what it means", async () => {
  const { stdout } = await pawl(["signals", "--help"]);
  for (const kind of SIGNAL_KINDS) expect(stdout).toMatch(new RegExp(`^  ${kind} +[a-z]`, "m"));
});

test("no signals is no failure", async () => {
  const answers = { "GET /v1/signals": [] };
  expect(await pawl(["signals"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "no signals yet\n",
  });
});
