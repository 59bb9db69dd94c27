import { expect, test } from "vitest";
import { isolationFor } from "./probe-walls.ts";

/** Where bubblewrap is not found. */
const NOWHERE = { env: { PATH: "/nonexistent" } };

test.each([
  [
    "acp",
    "a program that speaks the Agent Client Protocol would not find its login inside walls",
    'name the folders of its login in `[isolation] write`, and set `[isolation] mode = "bwrap"`',
  ],
  [
    "command",
    "a program of your own might not find its login inside walls",
    'if your program needs nothing from your home folder, set `[isolation] mode = "bwrap"`',
  ],
])("no walls are written around %s, and it is said how to get them", async (runtime, why, hint) => {
  const isolation = await isolationFor(NOWHERE, { runtime, root: "/" });
  expect(isolation).toEqual({ mode: "none", why, hint });
});

test.each(["claude", "codex", "gemini", "copilot", "opencode", "claude-acp", "script"])(
  "whether %s gets walls is for the machine to say",
  async (runtime) => {
    expect(await isolationFor(NOWHERE, { runtime, root: "/" })).not.toMatchObject({
      why: expect.stringContaining("login"),
    });
  },
);
