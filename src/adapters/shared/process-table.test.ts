import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseLifeRecord, parseExitRecord } from "./life-record.ts";
import {
  carries,
  hasProc,
  judge,
  listProcesses,
  parsePsLine,
  parseStat,
  surveyed,
} from "./process-table.ts";

/** As this machine says it, so that the test holds where there is no /proc as well. */
const BOOT = hasProc ? `@${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}` : "";

const FIELDS = "S 1 2 3 34816 2 4194304 1 0 0 0 1 2 3 4 20 0 1 0 129252 2 3";

test("a process whose name contains parentheses and spaces is read behind the last one", () => {
  expect(parseStat(`4711 (a) S 9 (b)) ${FIELDS}`)).toEqual({
    pid: 4711,
    state: "S",
    parent: 1,
    group: 2,
    session: 3,
    startTime: `129252${BOOT}`,
    cpuMs: 100,
  });
  expect(parseStat("")).toBeUndefined();
});

test("another start time, a zombie and nothing are dead; what cannot be read is unknown", () => {
  const row = parseStat(`4711 (x) ${FIELDS}`);
  const zombie = parseStat(`4711 (x) ${FIELDS.replace("S", "Z")}`);
  if (row === undefined || zombie === undefined) throw new Error("both lines are whole");
  expect(judge(row, { pid: 4711, startTime: "129252" })).toBe("alive");
  expect(judge(row, { pid: 4711, startTime: "129253" })).toBe("dead");
  expect(judge(zombie, { pid: 4711, startTime: "129252" })).toBe("dead");
  expect(judge("gone", row)).toBe("dead");
  expect(judge("unknown", row)).toBe("unknown");
});

test.runIf(hasProc)("the same pid and ticks after a reboot are another process", () => {
  const row = parseStat(`4711 (x) ${FIELDS}`);
  if (row === undefined) throw new Error("the line is whole");
  expect(judge(row, { pid: 4711, startTime: "129252@another-boot" })).toBe("dead");
  expect(judge(row, row)).toBe("alive");
});

test("a line of ps names the same things", () => {
  expect(parsePsLine("  501   1   500 Ss   Sun Nov 15 09:45:01 2026    ")).toEqual({
    pid: 501,
    parent: 1,
    group: 500,
    session: 500,
    state: "Ss",
    startTime: "Sun Nov 15 09:45:01 2026",
    cpuMs: 0,
  });
  expect(parsePsLine("")).toBeUndefined();
});

test("looking at many processes lets the event loop turn between portions of them", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pids = Array.from({ length: 1000 }, (_, n) => n + 1);
  const found = await surveyed(
    (pid) => (pid % 2 === 0 ? [pid] : []),
    () => pids,
  );
  isOver = true;
  expect(found).toEqual(pids.filter((pid) => pid % 2 === 0));
  expect(turns).toBeGreaterThanOrEqual(9);
});

test("a process that starts while others are looked at is looked at too, once", async () => {
  const living = new Set([1, 2]);
  const found = await surveyed(
    (pid) => {
      // As a process does that starts a child and ends before anyone looks again.
      if (pid === 2) living.add(1002).delete(2);
      return [pid];
    },
    () => [...living],
  );
  expect(found).toEqual([1, 2, 1002]);
});

test("we find ourselves, with our own environment", async () => {
  expect((await listProcesses()).map((row) => row.pid)).toContain(process.pid);
  const entry = `PATH=${process.env["PATH"]}`;
  expect(carries(process.pid, [entry])).toBe(true);
  expect(carries(process.pid, [entry, "PAWL_RUN=no such run"])).toBe(false);
});

test("a process record is whole or absent, and never names a process that is not an agent's", () => {
  const text = "wrapper 12 345\npane %1\nsession dev-toy-42\n";
  const wrapper = { pid: 12, startTime: "345" };
  const life = { wrapper, pane: "%1", tmuxSession: "dev-toy-42", agent: undefined };
  expect(parseLifeRecord(text)).toEqual(life);
  const agent = { pid: 13, startTime: "Sun Nov 15 2026" };
  expect(parseLifeRecord(`${text}agent 13 Sun Nov 15 2026\n`)).toEqual({ ...life, agent });
  expect(parseLifeRecord(text.replace("12", "1"))).toBeUndefined();
  expect(parseLifeRecord(text.replace("%1", "x"))).toBeUndefined();
  expect(parseLifeRecord("wrapper 12 345\npane %1\n")).toBeUndefined();
});

test("an exit record has a code or a signal, and its times", () => {
  const times = { startedAt: 1, endedAt: 2 };
  expect(parseExitRecord(`{"code":3,"signal":null,"startedAt":1,"endedAt":2}`)).toEqual({
    code: 3,
    signal: null,
    ...times,
  });
  expect(parseExitRecord(`{"code":null,"signal":"SIGKILL","startedAt":1,"endedAt":2}`)).toEqual({
    code: null,
    signal: "SIGKILL",
    ...times,
  });
  for (const text of ["", "{", "null", "[]", `{"code":3}`, `{"startedAt":1,"endedAt":2}`]) {
    expect(parseExitRecord(text)).toBeUndefined();
  }
});
