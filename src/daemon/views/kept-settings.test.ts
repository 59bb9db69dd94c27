import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { testRun } from "../../../test/support/run.ts";
import { keptLines, keptSettings } from "./kept-settings.ts";

const began = testConfig();
const run = testRun({ config: began });
const other = { ...began.agent, command: ["sh", "other.sh"] };

test("a run keeps the sections of pawl.toml that changed since it began", () => {
  expect(keptSettings(run, began)).toEqual([]);
  expect(keptSettings(run, undefined)).toEqual([]);
  expect(keptSettings(run, { ...began, parallel: 9 })).toEqual([]);
  const ci = { ...began.ci, slots: 7 };
  expect(keptSettings(run, { ...began, agent: other, ci })).toEqual(["agent", "ci"]);
});

test("another agent of the file, or the model that an issue asked for, is no change", () => {
  const agents = { named: { other }, rules: [], fallback: [], waitMs: 0 };
  const withOther = testRun({ config: { ...began, agent: other, agents } });
  expect(keptSettings(withOther, { ...began, agents })).toEqual([]);
  const asked = testRun({ config: { ...began, agent: { ...began.agent, model: "small" } } });
  expect(keptSettings(asked, began)).toEqual([]);
});

test("what a run keeps is said with the way to a new run", () => {
  expect(keptLines(run, { ...began, agent: other })).toEqual([
    "it keeps the settings that it began with: [agent] in pawl.toml changed since then",
    "for a new run with the new settings: pawl issue edit 42 --add-label blocked, then pawl retry 42",
  ]);
  expect(keptLines(run, began)).toEqual([]);
});
