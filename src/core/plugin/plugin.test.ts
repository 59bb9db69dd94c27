import { expect, test } from "vitest";
import { projectName } from "../ids.ts";
import { newPlugins } from "./plugin.ts";

test("a project begins without plugins", () => {
  expect(newPlugins(projectName("toy"))).toEqual({
    kind: "plugin",
    project: "toy",
    entries: [],
    log: [],
  });
});
