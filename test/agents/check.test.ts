// `pawl agent check NAME --stub`: the user's own program is taken through every case that can be tried.
import { expect, test } from "vitest";
import { factoryWith } from "../support/agent-on-path.ts";
import { agentProgram } from "../support/agent-programs.ts";

const LEFT_OUT = ["interrupt", "permission", "question", "context and hand-off", "signed out"];

test.for(["codex", "copilot"])("%s passes every case that is not left out", async (name, ctx) => {
  const path = agentProgram(name);
  if (path === undefined) return ctx.skip("its program cannot be had here");
  await using factory = await factoryWith({ name, path });
  const { stdout, stderr } = await factory.pawl("agent", "check", name, "--stub", "--json");
  if (stdout === "") throw new Error(stderr);
  const cases = JSON.parse(stdout) as { name: string; result: string; detail: string }[];
  expect(cases.filter(({ result }) => result === "failed")).toEqual([]);
  const leftOut = cases.filter(({ result }) => result === "left out");
  expect(leftOut.map((one) => one.name)).toEqual(LEFT_OUT);
  expect(leftOut.every(({ detail }) => detail !== "")).toBe(true);
  expect(cases).toHaveLength(16);
});
