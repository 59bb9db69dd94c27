import { expect, test } from "vitest";
import { holdLimits, type Machine } from "./hold-limits.ts";

const PLAIN: Machine = { systemd: undefined, isRoot: false, kernel: "6.1.0-13-amd64" };
const SYSTEMD: Machine = { ...PLAIN, systemd: { scope: "--user", runtime: "/run/user/1000" } };
const ALL = { memoryMb: 512, processes: 50, cpus: 0.5, fileMb: 10 };

test("without limits a command stays as it is", () => {
  for (const limits of [undefined, {}]) {
    const held = holdLimits(limits, PLAIN);
    expect([held.outside(["bwrap"], {}), held.inside(["sh"]), held.said]).toEqual([
      ["bwrap"],
      ["sh"],
      [],
    ]);
  }
});

test("without systemd, limits of processes are set inside, and people are told so", () => {
  const held = holdLimits({ memoryMb: 512, processes: 50, fileMb: 10 }, PLAIN);
  expect(held.outside(["bwrap"], {})).toEqual(["bwrap"]);
  expect(held.inside(["sh"]).join(" ")).toBe(
    "prlimit --nproc=50:50 --data=536870912:536870912 --fsize=10485760:10485760 -- sh",
  );
  expect(held.seen).toContainEqual({ title: "Max processes", value: "50" });
  expect(held.said).toEqual([
    "512 MB of memory for each process (prlimit)",
    "50 processes (prlimit)",
    "10 MB for each file (prlimit)",
  ]);
});

test.each([
  ["cpus", { cpus: 1 }, PLAIN],
  ["processes", { processes: 50 }, { ...PLAIN, isRoot: true }],
  ["processes", { processes: 50 }, { ...PLAIN, kernel: "5.10.0-26-amd64" }],
] as const)("limits.%s that nothing can hold is an error", (key, limits, machine) => {
  expect(() => holdLimits(limits, machine)).toThrow(`[isolation] limits.${key} cannot be enforced`);
});

test("with systemd, a scope holds all but the size of files, and is looked at before the start", () => {
  const held = holdLimits(ALL, SYSTEMD);
  const text = held.outside(["bwrap"], {}).join(" ");
  expect(text).toContain(
    "env XDG_RUNTIME_DIR=/run/user/1000 systemd-run --user --scope --quiet --collect -p MemoryMax=512M -p MemorySwapMax=0 -p TasksMax=50 -p CPUQuota=50% -- env -u XDG_RUNTIME_DIR sh ",
  );
  expect(text).toMatch(
    /limits-held\.sh \/sys\/fs\/cgroup memory\.max=536870912 memory\.swap\.max=0 pids\.max=50 cpu\.max=50000 100000 -- bwrap$/,
  );
  expect(held.inside(["sh"])).toEqual(["prlimit", "--fsize=10485760:10485760", "--", "sh"]);
  expect(held.said[0]).toBe("512 MB of memory together (systemd)");
});
