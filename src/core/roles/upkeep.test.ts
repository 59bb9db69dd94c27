import { expect, test } from "vitest";
import { agentsUpkeep, reviewedAt } from "./upkeep.ts";

test("AGENTS.md names in its first line where it was last reviewed", () => {
  expect(reviewedAt("<!-- last-reviewed: 0a1b2c3 -->\n# Agents")).toBe("0a1b2c3");
  expect(reviewedAt("# Agents\n<!-- last-reviewed: 0a1b2c3 -->")).toBeUndefined();
});

test("a file that is not marked, or behind by 20 commits, is looked at", () => {
  const names = (reviewed: string | undefined, commits: number): string[] =>
    agentsUpkeep({ hash: "h", reviewed, commits }).map(({ level, name }) => `${level} ${name}`);
  expect(names(undefined, 0)).toEqual(["P4 agents:h"]);
  expect(names("abc1234", 19)).toEqual([]);
  expect(names("abc1234", 20)).toEqual(["P4 agents:abc1234"]);
  expect(agentsUpkeep(undefined)).toEqual([]);
});
