import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { pawl } from "../../../test/support/pawl-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A stand-in that answers what the lists of a factory answer in a pipe. */
writeFileSync(
  join(folder, "pawl"),
  `#!/bin/sh
case "$*" in
  'issue list') printf '7\\tFix the parser\\n12\\tAdd a flag\\n' ;;
  'pr list') ;;
  status) printf 'daemon\\tnone\\nrun\\ttoy\\t12\\tAdd a flag\\tworking\\n' ;;
  'project list') printf 'toy\\tmain\\n' ;;
esac
`,
  { mode: 0o755 },
);
const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, HOME: folder };
const run = (program: string, args: string[]): string =>
  execFileSync(program, args, { encoding: "utf8", timeout: 20_000, env });

const scripts = new Map<string, Promise<string>>();
const scriptFor = (shell: string): Promise<string> => {
  const made = scripts.get(shell) ?? pawl(["completion", shell]).then(({ stdout }) => stdout);
  scripts.set(shell, made);
  return made;
};

type Complete = (...words: string[]) => Promise<string[]>;

const bash: Complete = async (...words) => {
  const stdout = await scriptFor("bash");
  const script = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pawl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run("bash", ["--norc", "-c", script, "bash", "pawl", ...words])
    .trim()
    .split("\n");
};

/** `_describe` and `_files` need a terminal: what they are given is printed instead. */
const zsh: Complete = async (...words) => {
  const stdout = await scriptFor("zsh");
  const script = `compdef() { :; }\n_describe() { print -l -- "\${(@)\${(P)2}%%:*}"; }\n_files() { print FILES; }
${stdout}\nwords=("$@"); CURRENT=$#; _pawl`;
  const offered = run("zsh", ["-f", "-c", script, "zsh", "pawl", ...words])
    .trim()
    .split("\n");
  return offered.filter((word) => word.startsWith(words.at(-1) ?? ""));
};

const fish: Complete = async (...words) => {
  const stdout = await scriptFor("fish");
  const script = join(folder, "pawl.fish");
  writeFileSync(script, stdout);
  const line = ["pawl", ...words].join(" ");
  const out = run("fish", ["--no-config", "-c", `source ${script}; complete -C '${line}'`]);
  return out
    .trim()
    .split("\n")
    .map((one) => one.split("\t")[0] ?? "");
};

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const shells: [string, Complete][] = [
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
];

describe.each(shells.filter(([name]) => has(name)))("%s", (_name, complete) => {
  test("offers commands, verbs of every level, and options", async () => {
    expect((await complete("st")).toSorted()).toEqual(["stats", "status", "stop"]);
    expect((await complete("issue", "c")).toSorted()).toEqual(["close", "comment"]);
    expect(await complete("orchestrator-helper", "sprint-status", "che")).toEqual(["check-epic"]);
    expect(await complete("issue", "list", "--s")).toEqual(["--state"]);
    expect(await complete("issue", "show", "7", "--j")).toEqual(["--json"]);
    expect(await complete("logs", "7", "--f")).toEqual(["--follow"]);
  });

  test("offers the values of options and arguments", async () => {
    expect(await complete("completion", "f")).toEqual(["fish"]);
    expect((await complete("issue", "list", "--state", "")).toSorted()).toEqual(
      ["all", "closed", "open"].toSorted(),
    );
    expect(await complete("config", "explain", "ci.time")).toEqual(["ci.timeout"]);
    // The value of an option is no verb.
    expect(await complete("--project", "issue", "--ver")).toEqual(["--version"]);
  });

  test("offers names that only the factory knows", async () => {
    expect((await complete("issue", "show", "")).toSorted()).toEqual(["12", "7"]);
    expect(await complete("logs", "")).toEqual(["12"]);
    expect(await complete("--project", "")).toEqual(["toy"]);
    expect(await complete("issue", "add", "--depends-on", "1")).toEqual(["12"]);
  });
});

test("bash offers no files where a list is empty, and files where no list is meant", async () => {
  writeFileSync(join(folder, "spec.md"), "");
  expect(await bash("pr", "show", "")).toEqual([""]);
  expect(await bash("issue", "import", `${folder}/sp`)).toEqual([`${folder}/spec.md`]);
});

test("what a command does is shown beside it", async () => {
  for (const shell of ["zsh", "fish"]) {
    const { stdout } = await pawl(["completion", shell]);
    expect(stdout).toContain("\nC\t\tstatus\tshow what is running and what needs you\n");
  }
});

test("another shell is wrong usage", async () => {
  const { code, stderr } = await pawl(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
});
