import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const SWEEP = {
  plugin: "sweep",
  project: "toy",
  from: "project",
  description: "Sweeps.",
  gate: "cooldown 1h",
  kind: "script",
  parallel: false,
  running: false,
  runs: 2,
  last_end: ago(30),
  problem: null,
};

const RUN = {
  plugin: "sweep",
  project: "toy",
  number: 1,
  why: "asked for by ada",
  started_at: ago(1),
  ended_at: null,
  result: "running",
  note: "",
};

test("the list shows gates and what is wrong", async () => {
  const broken = {
    ...SWEEP,
    plugin: "bad",
    gate: "",
    kind: null,
    problem: "gate: missing",
    last_end: null,
  };
  const answers = { "GET /v1/plugins": [SWEEP, broken] };
  const { stdout } = await pawlOnTty(["plugin", "list"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "PLUGIN  FROM     GATE          RUNS    LAST        ABOUT          PROJECT
    sweep   project  cooldown 1 h  script  30 min ago  Sweeps.        toy
    bad     project                –       never       gate: missing  toy
    "
  `);
  expect(JSON.parse((await pawl(["plugin", "list", "--json"], { answers })).stdout)).toHaveLength(
    2,
  );
});

test("one is run now, and its log tells how it ended", async () => {
  const run = { ...RUN, number: 3 };
  const answers = {
    "POST /v1/plugins/sweep/run": { ...SWEEP, running: true },
    "GET /v1/plugins/log?plugin=sweep": [run],
  };
  const started = await pawl(["plugin", "run", "sweep"], { answers });
  expect(started.stderr).toContain("sweep: running");
  expect(started.calls[0]).toEqual(["POST /v1/plugins/sweep/run", { by: "ada" }]);
  const log = await pawl(["plugin", "log", "sweep"], { answers });
  expect(log.stdout).toBe(`sweep\t3\trunning\t${ago(1)}\tasked for by ada\t\n`);
});

test("without a daemon a plugin has not started, and an open gate is named", async () => {
  const waiting = { ...SWEEP, running: true, begun: false, why: "cooldown" };
  const run = { ...RUN, why: "cooldown", begun: false };
  const answers = {
    "POST /v1/plugins/sweep/run": waiting,
    "GET /v1/plugins": [waiting],
    "GET /v1/plugins/log": [run],
  };
  const { stderr } = await pawlOnTty(["plugin", "run", "sweep"], { answers });
  expect(stderr).toContain(
    "sweep: starts when a daemon runs, because its gate was open (cooldown)\n",
  );
  expect((await pawlOnTty(["plugin", "list"], { answers })).stdout).toContain("not started");
  expect((await pawlOnTty(["plugin", "log"], { answers })).stdout).toContain("not started");
});

test("a note that is cut names the command that shows it whole", async () => {
  const note = "exit 2: sh: 0: cannot open scripts/count.sh: No such file, and more of it";
  const run = { ...RUN, ended_at: ago(1), result: "failed", note };
  const answers = { "GET /v1/plugins/log": [run] };
  const { stderr } = await pawlOnTty(["plugin", "log"], { answers, columns: 80 });
  expect(stderr).toContain("`pawl plugin log --json` shows the whole note\n");
});
