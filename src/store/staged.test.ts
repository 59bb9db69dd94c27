import { expect, test } from "vitest";
import { StagedTable } from "./staged.ts";

test("what is listed stays in order while keys come and go, also of those that begin alike", () => {
  const table = new StagedTable<string, string>();
  const put = (...keys: string[]): void => {
    for (const key of keys) table.set(key, key);
    table.commit();
  };
  put("run:a/10.1", "run:a/2.1", "mail:a");
  expect(table.ordered()).toEqual(["mail:a", "run:a/2.1", "run:a/10.1"]);
  expect(table.ordered("run:")).toEqual(["run:a/2.1", "run:a/10.1"]);
  put("run:a/3.1", "project:a", "run:a/2.1");
  expect(table.ordered()).toEqual(["mail:a", "project:a", "run:a/2.1", "run:a/3.1", "run:a/10.1"]);
  expect(table.ordered("run:")).toEqual(["run:a/2.1", "run:a/3.1", "run:a/10.1"]);
  table.delete("run:a/3.1");
  table.delete("run:a/99.1");
  expect(table.ordered("run:"), "not committed yet").toHaveLength(3);
  table.commit();
  expect(table.ordered("run:")).toEqual(["run:a/2.1", "run:a/10.1"]);
  expect(table.ordered()).toHaveLength(4);
});

test("what was rolled back is listed nowhere", () => {
  const table = new StagedTable<string, string>();
  table.set("a", "a");
  expect(table.orderedStaged()).toEqual(["a"]);
  table.rollback();
  table.commit();
  expect([table.ordered(), table.orderedStaged()]).toEqual([[], []]);
});
