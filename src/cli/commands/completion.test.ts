import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { pawl } from "../../../test/support/pawl-cli.ts";

/** What bash would offer after these words. */
async function complete(...words: string[]): Promise<string[]> {
  const { stdout } = await pawl(["completion", "bash"]);
  const script = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pawl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const argv = ["--norc", "-c", script, "bash", "pawl", ...words];
  return execFileSync("bash", argv, { encoding: "utf8", timeout: 5000 }).trim().split("\n");
}

test("bash offers commands, verbs and options", async () => {
  expect(await complete("st")).toEqual(["status", "stop"]);
  expect(await complete("issue", "c")).toEqual(["comment", "close"]);
  expect(await complete("issue", "list", "--s")).toEqual(["--state"]);
  expect(await complete("issue", "show", "7", "--j")).toEqual(["--json"]);
  expect(await complete("logs", "7", "--f")).toEqual(["--follow"]);
  expect(await complete("completion", "f")).toEqual(["fish"]);
});

test("zsh and fish get every command with what it does", async () => {
  const zsh = await pawl(["completion", "zsh"]);
  expect(zsh.stdout).toContain("'issue list'|'issue list '*) found=('--state:which ones'");
  const fish = await pawl(["completion", "fish"]);
  expect(fish.stdout).toContain(
    "complete -c pawl -n '__fish_seen_subcommand_from issue; and __fish_seen_subcommand_from list' -l 'json' -d 'as JSON, with all fields'",
  );
});

test("another shell is wrong usage", async () => {
  const { code, stderr } = await pawl(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
});
