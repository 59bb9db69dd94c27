import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";
import { formatProblems } from "./problem.ts";

const file = (agent: string): string => `[project]
name = "toy"
target = "main"
[agent]
runtime = "claude"
${agent}
[ci]
command = "sh test.sh"
`;

function accept(agent: string) {
  const parsed = parseConfig(file(agent), "pawl.toml");
  if (parsed.kind === "invalid") throw new Error(formatProblems(parsed.problems));
  return parsed.config;
}

function refuse(agent: string): string {
  const parsed = parseConfig(file(agent), "pawl.toml");
  return parsed.kind === "invalid" ? formatProblems(parsed.problems) : "valid";
}

test("labels, roles and accounts have agents with a model and settings of their own", () => {
  const { agent, agents } = accept(`fallback = ["work", "script"]
[agent.claude]
model = "opus"
permission_mode = "plan"
[[agent.for]]
label = "docs"
account = "work"
model = "haiku"
[[agent.for]]
role = "review"
settings = { permission_mode = "default" }
[[agent.account]]
name = "work"
runtime = "claude"
home = "~/.claude-work"
env = { LANG = "C" }`);
  expect(agent.model).toBe("opus");
  expect(agents?.fallback).toEqual(["work", "script"]);
  expect(Object.keys(agents?.named ?? {})).toEqual(["claude", "work", "script"]);
  const work = { account: "work", home: "~/.claude-work", env: { LANG: "C" }, model: "opus" };
  expect(agents?.named["work"]).toMatchObject(work);
  expect(agents?.rules).toMatchObject([
    { label: "docs", agent: { account: "work", model: "haiku" } },
    { role: "review", agent: { model: "opus", settings: { permissionMode: "default" } } },
  ]);
  expect(accept("").agents).toBeUndefined();
});

test("a table of a runtime that only a fallback uses is for that", () => {
  const other = file("").replace('"claude"', '"script"');
  const text = other.replace("[ci]", 'fallback = ["claude"]\n[agent.claude]\nmodel = "m"\n[ci]');
  const parsed = parseConfig(text, "pawl.toml");
  expect(parsed.kind === "valid" && parsed.config.agents?.named["claude"]?.model).toBe("m");
});

test("what cannot work is refused with what to write instead", () => {
  expect(
    [
      'fallback = ["command"]',
      'fallback = ["script"]\nafter_limit = "ask"',
      '[[agent.for]]\nruntime = "script"',
      '[[agent.for]]\nlabel = "a"\naccount = "b"',
      '[[agent.for]]\nlabel = "a"\nsettings = { permision = "plan" }',
      '[[agent.account]]\nname = "claude"\nruntime = "script"',
      '[[agent.account]]\nname = "own"\nruntime = "command"',
    ].map(refuse),
  ).toMatchInlineSnapshot(`
    [
      "pawl.toml:6: agent.fallback[0] is "command", which needs a program. Write it as [[agent.account]] with a name, this runtime and command = ["program"], and use that name.",
      "pawl.toml:6: agent.fallback and after_limit = "ask" exclude each other: with a fallback, another agent continues. Remove one of them.",
      "pawl.toml:6: agent.for[0] says neither label nor role. Write label = "docs" or role = "review".",
      "pawl.toml:8: agent.for[0].account is "b", which is not known. There are: none.",
      "pawl.toml:8: agent.for[0].settings.permision cannot be used: Unrecognized key: "permision". Settings of "claude": permission_mode, allow, deny, model, args.",
      "pawl.toml:7: agent.account[0].name is "claude", which is a runtime. Use another name.",
      "pawl.toml:8: agent.account[0].command is missing: runtime "command" needs the program to start. Write command = ["program", "argument"].",
    ]
  `);
});

test("a misspelt fallback is refused with the name that was meant", () => {
  const said = refuse('fallback = ["claud"]');
  expect(said).toContain('pawl.toml:6: agent.fallback[0] is "claud", which is not known.');
  expect(said).toContain('Did you mean "claude"?');
});
