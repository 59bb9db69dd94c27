// `pawl agent check NAME --stub`: the user's own program is taken through every case that can be tried.
// One program shows the command; what each program can do, conformance.ts shows.
import { expect, test } from "vitest";
import { factoryWith } from "../support/agent-on-path.ts";
import { agentProgram } from "../support/agent-programs.ts";

const LEFT_OUT = ["interrupt", "permission", "question", "context and hand-off", "signed out"];

const codex = agentProgram("codex");

test.skipIf(codex === undefined)("codex passes every case that is not left out", async () => {
  await using factory = await factoryWith({ name: "codex", path: codex ?? "" });
  const { stdout, stderr } = await factory.pawl("agent", "check", "codex", "--stub", "--json");
  if (stdout === "") throw new Error(stderr);
  const cases = JSON.parse(stdout) as { name: string; result: string; detail: string }[];
  expect(cases.filter(({ result }) => result === "failed")).toEqual([]);
  const leftOut = cases.filter(({ result }) => result === "left out");
  expect(leftOut.map((one) => one.name)).toEqual(LEFT_OUT);
  expect(leftOut.every(({ detail }) => detail !== "")).toBe(true);
  expect(cases).toHaveLength(16);
});
