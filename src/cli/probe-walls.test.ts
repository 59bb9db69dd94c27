import { expect, test } from "vitest";
import { isolationFor } from "./probe-walls.ts";

/** Where bubblewrap is not found. */
const NOWHERE = { env: { PATH: "/nonexistent" } };

test.each([
  ["acp", "a program that speaks the Agent Client Protocol would not find its login inside walls"],
  ["command", "a program of your own might not find its login inside walls"],
])("no walls are written around %s", async (runtime, why) => {
  expect(await isolationFor(NOWHERE, { runtime, root: "/" })).toEqual({ mode: "none", why });
});

test.each(["claude", "codex", "gemini", "copilot", "opencode", "claude-acp", "script"])(
  "whether %s gets walls is for the machine to say",
  async (runtime) => {
    expect(await isolationFor(NOWHERE, { runtime, root: "/" })).not.toMatchObject({
      why: expect.stringContaining("login"),
    });
  },
);
