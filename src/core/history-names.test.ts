import { expect, test } from "vitest";
import { KEPT_WORKSPACE, NUMBERED_GATES, requestName } from "./history-names.ts";

test("no request has the name of another one or of a whole group", () => {
  const keys = ["", "gates", "kept workspace", "workspace"];
  const names = [KEPT_WORKSPACE, NUMBERED_GATES, ...keys.map(requestName)];
  expect(new Set(names).size).toBe(names.length);
});
