// The launcher of a checkout runs a bundle for commands that look, and never an old one.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const CHECKOUT = join(import.meta.dirname, "../..");

/** A checkout of its own, so that its sources can be changed. */
function copyCheckout(folder: string): void {
  for (const name of ["src", "formulas", "scripts", "pawl", "package.json", "package-lock.json"]) {
    cpSync(join(CHECKOUT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, ".tools"));
  writeFileSync(join(folder, ".tools/node-path"), `${process.execPath}\n`);
}

function typed(factory: Factory, checkout: string, ...args: string[]): string {
  const options = { cwd: factory.repo, env: factory.env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(join(checkout, "pawl"), args, options);
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

function bundles(checkout: string): string[] {
  const folder = join(checkout, ".tools/bundles");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => existsSync(join(folder, name, "main.js")));
}

test("commands that look run from a bundle, which is built once per change of the sources", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
    fromSources: true,
  });
  await factory.ok("issue", "add", "--title", "One");
  const checkout = join(factory.root, "checkout");
  copyCheckout(checkout);
  typed(factory, checkout, "--version");
  expect(bundles(checkout)).toEqual([]);

  expect(typed(factory, checkout, "status")).toBe(await factory.ok("status"));
  const [first, ...others] = bundles(checkout);
  expect(others).toEqual([]);
  typed(factory, checkout, "agents");
  expect(bundles(checkout)).toEqual([first]);

  const command = join(checkout, "src/cli/commands/status.ts");
  writeFileSync(
    command,
    readFileSync(command, "utf8").replaceAll("show what is running", "SHOW WHAT IS RUNNING"),
  );
  expect(typed(factory, checkout, "status", "--help")).toContain("SHOW WHAT IS RUNNING");
  expect(bundles(checkout)).toHaveLength(2);

  // Of the same length and with the time of before, as a restored copy may have it.
  const { atime, mtime } = statSync(command);
  const shouted = readFileSync(command, "utf8");
  writeFileSync(command, shouted.replaceAll("SHOW WHAT IS RUNNING", "TELL WHAT IS RUNNING"));
  utimesSync(command, atime, mtime);
  expect(typed(factory, checkout, "status", "--help")).toContain("TELL WHAT IS RUNNING");
  expect(bundles(checkout)).toHaveLength(3);

  writeFileSync(join(checkout, "scripts/build-bundle.ts"), "process.exit(1);\n");
  appendFileSync(command, "\n// Changed again.\n");
  expect(typed(factory, checkout, "status", "--help")).toContain("TELL WHAT IS RUNNING");
  expect(typed(factory, checkout, "status")).toContain("project");
  expect(bundles(checkout)).toHaveLength(3);
});
