import { expect, test } from "vitest";
import { hostAllowed, hostDenied, hostRefused } from "./network.ts";

test("a person reads which host was refused, why, and what to answer", () => {
  const text = hostRefused("pypi.org", "pypi.org is not in [isolation] hosts");
  expect(text).toContain("pypi.org is not in [isolation] hosts");
  expect(text).toContain('Answer "allow"');
});

test("the agent reads what it may do now", () => {
  expect(hostAllowed("pypi.org")).toBe("You may reach pypi.org now. Try again what failed.");
  expect(hostDenied("pypi.org", "No.")).toContain("continue without it");
});
