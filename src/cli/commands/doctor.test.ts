import { expect, test } from "vitest";
import { pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { DoctorView } from "../../api/doctor.ts";

const trouble = (change: object = {}) => ({
  what: "x.lock was left behind by a git process that died",
  hint: null,
  fix: "remove x.lock",
  fixed: null,
  failed: null,
  ...change,
});

const view = (change: Partial<DoctorView> = {}): DoctorView => ({
  healthy: false,
  took_ms: 420,
  checks: [
    { id: "tools", title: "the tools are there", took_ms: 3, troubles: [] },
    { id: "hub", title: "the hub is whole", took_ms: 9, troubles: [trouble()] },
  ],
  ...change,
});

/** Asked afterwards, for the pawl.toml of the projects. */
const STATUS = ["GET /v1/status"];

test("a plain look changes nothing, and says what would fix the problem", async () => {
  const answers = { "GET /v1/doctor": view() };
  const piped = await pawl(["doctor"], { answers });
  expect(piped).toMatchObject({ code: 1, calls: [["GET /v1/doctor"], STATUS] });
  expect(piped.stdout).toBe(
    "hub\ttrouble\tx.lock was left behind by a git process that died\tremove x.lock\ndoctor\ttrouble\t420 ms\t\n",
  );
  const shown = await pawlOnTty(["doctor", "-v"], { answers });
  expect(shown.stdout).toBe(
    [
      "ok      the tools are there",
      "problem the hub is whole",
      "  x.lock was left behind by a git process that died",
      "    fix: remove x.lock",
      "1 problem (2 checks in 0.4 s)",
      "pawl doctor --fix fixes what can be fixed",
      "",
    ].join("\n"),
  );
});

test("checks that did not answer in time are named once, and are no problems", async () => {
  const late = trouble({
    what: "no answer within 4 s",
    hint: "the machine is probably busy: run `pawl doctor` again",
    fix: null,
    unanswered: true,
  });
  const checks = ["git", "tmux", "journal"].map((id) => ({
    id,
    title: `${id} works`,
    took_ms: 4000,
    troubles: [late],
  }));
  const answers = { "GET /v1/doctor": view({ took_ms: 4000, checks }) };
  const shown = await pawlOnTty(["doctor"], { answers });
  expect(shown.code).toBe(1);
  expect(shown.stdout).toBe(
    [
      "unknown 3 checks: no answer within 4 s",
      "  not checked: git, tmux, journal",
      "    hint: the machine is probably busy: run `pawl doctor` again",
      "no problem found by the checks that answered (3 checks in 4.0 s)",
      "",
    ].join("\n"),
  );
  const piped = await pawl(["doctor"], { answers });
  expect(piped.stdout).toContain("git\tunknown\tno answer within 4 s\tthe machine is");
  const both = view({ checks: [...checks, ...view().checks] });
  const mixed = await pawlOnTty(["doctor"], { answers: { "GET /v1/doctor": both } });
  expect(mixed.stdout).toContain("1 problem (5 checks");
});

test("a dry run fixes nothing, --fix does, and a fixed problem is healthy", async () => {
  const fixedView = view({
    healthy: true,
    checks: [{ id: "hub", title: "hub", took_ms: 1, troubles: [trouble({ fixed: true })] }],
  });
  const answers = { "GET /v1/doctor": view(), "POST /v1/doctor/fix": fixedView };
  expect((await pawl(["doctor", "--fix", "--dry-run"], { answers })).calls).toEqual([
    ["GET /v1/doctor"],
    STATUS,
  ]);
  const fixed = await pawl(["doctor", "--fix"], { answers });
  expect(fixed).toMatchObject({ code: 0, calls: [["POST /v1/doctor/fix", {}], STATUS] });
  expect(fixed.stdout).toContain("hub\tfixed\t");
  expect(fixed.stdout).toContain("doctor\thealthy\t");
});

test("a problem that could not be fixed says why", async () => {
  const left = trouble({ fixed: false, failed: "no permission", hint: "be root" });
  const checks = [{ id: "hub", title: "hub", took_ms: 1, troubles: [left] }];
  const answers = { "POST /v1/doctor/fix": view({ checks }) };
  const { stdout, code } = await pawlOnTty(["doctor", "--fix"], { answers });
  expect(code).toBe(1);
  expect(stdout).toContain("    not fixed: no permission\n    hint: be root\n");
});

test("every line of a problem is indented below its check", async () => {
  const what = "toy: the gate fails\n  | red\nno agent starts. Fix the target.";
  const checks = [{ id: "gate", title: "gate", took_ms: 1, troubles: [trouble({ what })] }];
  const { stdout } = await pawlOnTty(["doctor"], {
    answers: { "GET /v1/doctor": view({ checks }) },
  });
  expect(stdout).toContain(
    "problem gate\n  toy: the gate fails\n    | red\n  no agent starts. Fix the target.\n    fix:",
  );
});

test("JSON has every field", async () => {
  const { stdout } = await pawl(["doctor", "--json"], { answers: { "GET /v1/doctor": view() } });
  expect(JSON.parse(stdout)).toEqual(view());
});

test("what each part of the home takes on the disk is shown, in bytes where a program reads it", async () => {
  const sizes = [
    { part: "workspaces", bytes: 2_340_000_000 },
    { part: "journal", bytes: 1_500_000 },
  ];
  const answers = { "GET /v1/doctor": view({ sizes }) };
  const piped = await pawl(["doctor"], { answers });
  expect(piped.stdout).toContain("size\tworkspaces\t2340000000\t\nsize\tjournal\t1500000\t\n");
  const shown = await pawlOnTty(["doctor"], { answers });
  expect(shown.stdout).toContain("\non disk: 2.3 GB (workspaces 2.3 GB, journal 1.5 MB)\n");
});

test("--notify sends a message by every channel, and one that fails is a problem with its command", async () => {
  const sent = [
    { project: "toy", name: "slack", kind: "slack", trouble: null },
    { project: "toy", name: "ntfy", kind: "ntfy", trouble: "no answer" },
  ];
  const answers = {
    "GET /v1/doctor": view({ healthy: true, checks: [] }),
    "POST /v1/notify/test": sent,
  };
  const { code, stdout } = await pawl(["doctor", "--notify"], { answers });
  expect(code).toBe(1);
  expect(stdout).toContain("messages\tnote\ttoy: sent through slack; check whether it arrived\t\n");
  expect(stdout).toContain(
    "messages\ttrouble\ttoy: ntfy failed: no answer\tfix [[notify]] in pawl.toml, then run `pawl notify test`\n",
  );
});
