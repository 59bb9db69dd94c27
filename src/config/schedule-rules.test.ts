import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";

const parsed = (schedule: string) =>
  parseConfig(
    `[project]\nname = "toy"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\nnone = true\n${schedule}`,
    "pawl.toml",
  );
const problems = (schedule: string): string[] => {
  const result = parsed(schedule);
  return result.kind === "invalid" ? result.problems.map(({ message }) => message) : [];
};

test("a schedule says when and what, with defaults for the rest", () => {
  const result = parsed('[schedule.nightly]\ncron = "0 6 * * *"\nrole = "gardener"\n');
  expect(result).toMatchObject({
    kind: "valid",
    config: {
      schedules: [
        {
          name: "nightly",
          when: { kind: "cron", pattern: "0 6 * * *", timeZone: "UTC" },
          work: { kind: "role", role: "gardener" },
          enabled: true,
          jitterMs: 0,
          leaseMs: 7_200_000,
          memoryMb: 2000,
        },
      ],
    },
  });
});

test("the supervisor starts however little memory is free, unless its schedule says otherwise", () => {
  const memoryOf = (lines: string) => {
    const result = parsed(`[schedule.x]\nevery = "20 min"\n${lines}\n`);
    return result.kind === "valid" ? result.config.schedules?.[0]?.memoryMb : undefined;
  };
  expect(memoryOf('role = "supervisor"')).toBe(0);
  expect(memoryOf('role = "supervisor"\nmemory_mb = 100')).toBe(100);
  expect(memoryOf('role = "gardener"')).toBe(2000);
});

test.each([
  ['[schedule.x]\nrole = "gardener"', "has neither cron nor every"],
  ['[schedule.x]\ncron = "0 6 * * *"\nevery = "1 h"\nrole = "gardener"', "cannot be used together"],
  ['[schedule.x]\nevery = "1 h"', "has neither role nor formula"],
  ['[schedule.x]\ncron = "61 6 * * *"\nformula = "f"', 'schedule.x.cron is "61 6 * * *"'],
  ['[schedule.x]\ncron = "0 6 * * *"\ntz = "Mars"\nformula = "f"', "is not a time zone"],
  ['[schedule.x]\nevery = "1 h"\nrole = "mayor"', "schedule.x.role"],
])("%j is refused with the reason", (text, reason) => {
  expect(problems(text).join("\n")).toContain(reason);
});
