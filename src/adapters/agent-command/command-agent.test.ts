import { expect, test } from "vitest";
import { createCommandAgent } from "./command-agent.ts";

const REQUEST = {
  promptFile: "/p.md",
  workspace: "/w",
  dir: "/d",
  resume: undefined,
  env: {},
  protocol: "",
  heartbeat: "/h",
  quietMs: 60_000,
};
const AGENT = { runtime: "command", passEnv: [], env: {} };

test("the user's command is started as it is written", async () => {
  const agent = { ...AGENT, command: ["sh", "agent.sh", "--two words"] };
  expect(await createCommandAgent().launch({ ...REQUEST, agent })).toEqual({
    argv: ["sh", "agent.sh", "--two words"],
    env: {},
  });
});

test("an empty command is refused with what to write", async () => {
  const agent = { ...AGENT, command: [] };
  await expect(createCommandAgent().launch({ ...REQUEST, agent })).rejects.toMatchObject({
    code: "no-command",
    hint: 'write command = ["program", "argument"] below [agent] in pawl.toml',
  });
});
