import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { formatProblems } from "../problem.ts";
import { parseFormula } from "./parse-formula.ts";

const ROOT = join(import.meta.dirname, "../../..");
const STEP = `[[steps]]\nid = "a"\nrun = "true"\n`;

function problems(text: string): string {
  const parsed = parseFormula(text, "f.toml");
  return parsed.kind === "invalid" ? formatProblems(parsed.problems) : parsed.kind;
}

const files = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).toSorted();

test.each([...files("test/fixtures/formulas/*.toml"), ...files("formulas/*.toml")])(
  "%s is valid",
  (file) => {
    expect(problems(readFileSync(join(ROOT, file), "utf8"))).toBe("valid");
  },
);

test("a patrol as a formula has its steps, needs and version", () => {
  const text = readFileSync(join(ROOT, "test/fixtures/formulas/deacon-patrol.toml"), "utf8");
  const parsed = parseFormula(text, "x");
  if (parsed.kind !== "valid") throw new Error(JSON.stringify(parsed));
  const { name, version, steps } = parsed.formula;
  expect({ name, version }).toEqual({ name: "mol-deacon-patrol", version: 2 });
  expect(steps.map(({ id, needs }) => [id, ...needs])).toEqual([
    ["inbox-check"],
    ["trigger-pending-spawns", "inbox-check"],
    ["gate-evaluation", "inbox-check"],
    ["health-scan", "trigger-pending-spawns", "gate-evaluation"],
    ["plugin-run", "health-scan"],
    ["orphan-check", "health-scan"],
    ["session-gc", "orphan-check"],
    ["context-check", "session-gc"],
    ["loop-or-exit", "context-check"],
  ]);
  expect(steps.every(({ action }) => action.kind === "agent")).toBe(true);
});

test("everything that a formula can say is read", () => {
  const parsed = parseFormula(
    `
name = "all"
description = "All of it"
version = 3
model = "opus"
type = "workflow"
[context]
files = ["AGENTS.md"]
[vars]
bare = "one"
[vars.full]
description = "what it is"
required = true
default = 7
[[steps]]
id = "cmd"
title = "Do it"
run = ["make", "{{bare}}"]
timeout = "2 min"
retries = 3
[[steps]]
id = "own"
needs = ["cmd"]
builtin = "say"
with = { text = "hi", count = 3 }
[[steps]]
id = "wait"
needs = ["cmd"]
gate = { type = "timer", timeout = "5 min" }
[[steps]]
id = "ask"
title = "Ship it?"
gate = "human"
[[steps]]
id = "pr"
gate = { type = "gh:pr", await_id = 12 }
[[steps]]
id = "poll"
gate = { type = "command", command = "test -e x", every = "10 s" }
[[steps]]
id = "think"
needs = ["own", "wait"]
when = "vars.full == '7'"
output = "either"
model = "haiku"
description = "Think."
`,
    "all.toml",
  );
  expect(parsed).toMatchInlineSnapshot(`
    {
      "formula": {
        "contextFiles": [
          "AGENTS.md",
        ],
        "description": "All of it",
        "model": "opus",
        "name": "all",
        "steps": [
          {
            "action": {
              "command": {
                "argv": [
                  "make",
                  "{{bare}}",
                ],
                "kind": "argv",
              },
              "kind": "run",
            },
            "description": "",
            "id": "cmd",
            "needs": [],
            "retries": 3,
            "timeoutMs": 120000,
            "title": "Do it",
            "when": undefined,
          },
          {
            "action": {
              "kind": "builtin",
              "name": "say",
              "with": {
                "count": "3",
                "text": "hi",
              },
            },
            "description": "",
            "id": "own",
            "needs": [
              "cmd",
            ],
            "retries": 0,
            "timeoutMs": 600000,
            "title": "own",
            "when": undefined,
          },
          {
            "action": {
              "escalateMs": 86400000,
              "gate": {
                "durationMs": 300000,
                "kind": "timer",
              },
              "kind": "gate",
            },
            "description": "",
            "id": "wait",
            "needs": [
              "cmd",
            ],
            "retries": 0,
            "timeoutMs": 604800000,
            "title": "wait",
            "when": undefined,
          },
          {
            "action": {
              "escalateMs": 86400000,
              "gate": {
                "kind": "human",
                "question": "Ship it?",
              },
              "kind": "gate",
            },
            "description": "",
            "id": "ask",
            "needs": [],
            "retries": 0,
            "timeoutMs": 604800000,
            "title": "Ship it?",
            "when": undefined,
          },
          {
            "action": {
              "escalateMs": 86400000,
              "gate": {
                "kind": "pr",
                "pr": "12",
              },
              "kind": "gate",
            },
            "description": "",
            "id": "pr",
            "needs": [],
            "retries": 0,
            "timeoutMs": 604800000,
            "title": "pr",
            "when": undefined,
          },
          {
            "action": {
              "escalateMs": 86400000,
              "gate": {
                "command": "test -e x",
                "everyMs": 10000,
                "kind": "command",
                "timeoutMs": 60000,
              },
              "kind": "gate",
            },
            "description": "",
            "id": "poll",
            "needs": [],
            "retries": 0,
            "timeoutMs": 604800000,
            "title": "poll",
            "when": undefined,
          },
          {
            "action": {
              "kind": "agent",
              "model": "haiku",
              "output": "either",
              "result": "text",
              "role": "action",
            },
            "description": "Think.",
            "id": "think",
            "needs": [
              "own",
              "wait",
            ],
            "retries": 0,
            "timeoutMs": 28800000,
            "title": "think",
            "when": {
              "means": {
                "by": "==",
                "kind": "compare",
                "left": {
                  "kind": "var",
                  "name": "full",
                },
                "right": {
                  "kind": "text",
                  "value": "7",
                },
              },
              "text": "vars.full == '7'",
            },
          },
        ],
        "vars": [
          {
            "default": "one",
            "description": "",
            "name": "bare",
            "required": false,
          },
          {
            "default": "7",
            "description": "what it is",
            "name": "full",
            "required": true,
          },
        ],
        "version": 3,
      },
      "kind": "valid",
    }
  `);
});

const BROKEN = [
  `name = "f"\n${STEP}retrys = 2`,
  `name = "f"\ncolour = "red"\n${STEP}`,
  `name = "f"\n${STEP}\n[[steps]]\nid = "b"\nneeds = ["aa"]\nrun = "true"`,
  `name = "f"\n${STEP}\n${STEP}`,
  `name = "f"\n[[steps]]\nid = "a"\nneeds = ["c"]\n[[steps]]\nid = "b"\nneeds = ["a"]\n[[steps]]\nid = "c"\nneeds = ["b"]`,
  `name = "f"\n[[steps]]\nid = "a\nrun = "true"`,
  `name = "f"\n[[steps]]\nid = "a"\ndescription = "for {{who}}"`,
  `name = "f"\n[vars]\nwho = "x"\n[[steps]]\nid = "a"\nrun = "rm {{who}}"`,
  `name = "f"\n[vars]\nwho = "x"\n[[steps]]\nid = "a"\ngate = { type = "command", command = "rm {{who}}" }`,
  `name = "f"\n[[steps]]\nid = "a"\nrun = "true"\nbuiltin = "say"`,
  `name = "f"\n[[steps]]\nid = "a"\nrun = "true"\nwhen = "vars.x == "`,
  `name = "f"\n[[steps]]\nid = "a"\nrun = "true"\n[[steps]]\nid = "b"\nwhen = "steps.a.output"`,
  `name = "f"\n[[steps]]\nid = "a"\nwhen = "vars.who"`,
  `name = "f"\n[[steps]]\nid = "a"\ngate = { type = "tmer", timeout = "5 min" }`,
  `name = "f"\n[[steps]]\nid = "a"\ngate = "timer"`,
  `name = "f"\n[[steps]]\nid = "a"\ngate = { type = "pr" }`,
  `name = "f"\n[[steps]]\nid = "a"\nrun = []`,
  `name = "f"\n[[steps]]\nid = "a"\nrun = "true"\ntimeout = "soon"\nretries = 99`,
  `name = "f"\n[[steps]]\nid = "a b"`,
  `name = "f"\n[[steps]]\ntitle = "A"`,
  `name = "f"`,
  `description = "x"\n${STEP}`,
  `name = "f"\nformula = "g"\n${STEP}`,
  `formula = "c"\ntype = "convoi"\n[[legs]]\nid = "l"\n`,
  `formula = "c"\npour = true\n${STEP}`,
  `formula = "e"\nextends = ["base"]\n${STEP}`,
  `formula = "e"\n[[template]]\nid = "t"\n`,
  `name = "f"\n[vars]\na-b = "1"\na_b = "2"\n${STEP}`,
  `name = "f"\nversion = "two"\n${STEP}`,
  `name = "f"\n[vars.x]\nrequire = true\n${STEP}`,
];

test("a broken file gives file, line and hint", () => {
  expect(BROKEN.map(problems).join("\n--\n")).toMatchInlineSnapshot(`
    "f.toml:5: steps[0].retrys is not a known key. Did you mean "retries"?
    --
    f.toml:2: colour is not a known key. Known are type, formula, name, context, steps, description, version, model, vars.
    --
    f.toml:8: step "b" needs "aa", which is not a step. Did you mean "a"?
    --
    f.toml:7: steps[1].id "a" is used twice. Give each step an id of its own.
    --
    f.toml:4: steps need each other in a cycle: a → c → b → a. Remove one of these needs.
    --
    f.toml:3: not valid TOML at column 8: control characters are not allowed in strings; is the closing quote missing?

        2:  [[steps]]
        3:  id = "a
                   ^
        4:  run = "true"

    --
    f.toml:4: {{who}} is not a declared variable. Declare it: [vars.who] with a description.
    --
    f.toml:6: step "a" puts {{who}} into a shell's text. Write "$PAWL_VAR_WHO", which the shell gets as a variable.
    --
    f.toml:6: step "a" puts {{who}} into a shell's text. Write "$PAWL_VAR_WHO", which the shell gets as a variable.
    --
    f.toml:5: steps[0].builtin cannot be used together with run. A step does one thing: write two steps.
    --
    f.toml:5: steps[0].when ends where a value is expected.
    --
    f.toml:7: when of step "b" asks about "a", which may not have ended by then. Add it to needs.
    --
    f.toml:4: when of step "a" asks for vars.who, which is not declared.
    --
    f.toml:4: steps[0].gate.type is "tmer". Write one of timer, human, mail, ci, pr, issue, command, vault, gh:run, gh:pr. Did you mean "timer"?
    --
    f.toml:4: steps[0].gate.timeout is missing. Write timeout = "10 min".
    --
    f.toml:4: steps[0].gate.await_id is missing. Write await_id = "43".
    --
    f.toml:4: steps[0].run is a list. Write "a command", or ["program", "argument"].
    --
    f.toml:5: steps[0].timeout is "soon". Write a duration up to 20 d, e.g. "90 s", "30 min" or "2 h".
    f.toml:6: steps[0].retries is 99. Write a whole number from 0 to 10.
    --
    f.toml:3: steps[0].id is "a b". Use letters, digits, "-" and "_", at most 60 characters.
    --
    f.toml:2: steps[0].id is missing. Write id = "a-short-name".
    --
    f.toml:1: steps are missing. Write [[steps]] with an id for each.
    --
    f.toml:1: name is missing. Write name = "my-formula" at the top.
    --
    f.toml:1: name is "f", but formula is "g". Write one of them.
    --
    f.toml:2: type is "convoi". Write one of workflow, convoy, expansion, aspect. Did you mean "convoy"?
    f.toml:3: legs belongs to a file with type = "convoy".
    --
    f.toml:2: pour is a key of other systems. \`pawl formula import FILE\` translates such a file.
    --
    f.toml:2: extends names "base", and there is no such formula beside this one.
    --
    f.toml:2: template belongs to a file with type = "expansion".
    --
    f.toml:4: vars.a_b and vars.a-b would both be PAWL_VAR_A_B. Rename one.
    --
    f.toml:2: version is "two". Write a whole number from 0 to 1000000.
    --
    f.toml:3: vars.x.require is not a known key. Did you mean "required"?"
  `);
});

test("what the docs and the built-in folder call a formula is what its file says", () => {
  for (const file of files("formulas/*.toml")) {
    const parsed = parseFormula(readFileSync(join(ROOT, file), "utf8"), file);
    expect(parsed.kind === "valid" && parsed.formula.name).toBe(basename(file, ".toml"));
  }
});

test("a formula has up to 1,000 steps", () => {
  const steps = (count: number): string =>
    Array.from({ length: count }, (_, at) => `[[steps]]\nid = "s${at}"\nrun = "true"\n`).join("");
  expect(problems(`name = "long"\n${steps(1000)}`)).toBe("valid");
  expect(problems(`name = "long"\n${steps(1001)}`)).toContain("are more than 1000");
});
