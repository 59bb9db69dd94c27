import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspect } from "./inspect.ts";

/** Answers as Claude Code 2.1.325 does, with exit code 1 where it is signed out. */
async function inspected(told: { version: string; loggedIn: boolean }) {
  const root = mkdtempSync(join(tmpdir(), "pawl-inspect-"));
  const program = join(root, "claude");
  const status = JSON.stringify({ loggedIn: told.loggedIn, authMethod: "none" });
  const code = told.loggedIn ? 0 : 1;
  writeFileSync(
    program,
    `#!/bin/sh\ncase $1 in auth) echo '${status}'; exit ${code} ;; *) echo "${told.version} (Claude Code)" ;; esac\n`,
  );
  chmodSync(program, 0o755);
  try {
    return await inspect({ command: [program], env: {} });
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("one that is signed out is named with the command that signs it in", async () => {
  const [found, ...more] = await inspected({ version: "2.1.325", loggedIn: false });
  expect(found?.what).toContain("Claude Code is not signed in");
  expect(found?.hint).toContain("`claude auth login`");
  expect(more).toEqual([]);
});

test("one that is signed in and tested is no finding; a newer one is a note", async () => {
  expect(await inspected({ version: "2.1.325", loggedIn: true })).toEqual([]);
  const [found] = await inspected({ version: "2.9.0", loggedIn: true });
  expect(found).toMatchObject({ isNote: true });
  expect(found?.what).toContain("Claude Code 2.9.0 is newer than 2.1.325");
});

test("one that does not say in time whether it is signed in is noted, and counts as usable", async () => {
  const root = mkdtempSync(join(tmpdir(), "pawl-inspect-"));
  const program = join(root, "claude");
  writeFileSync(
    program,
    '#!/bin/sh\ncase $1 in auth) exec /bin/sleep 60 ;; *) echo "2.1.325 (Claude Code)" ;; esac\n',
  );
  chmodSync(program, 0o755);
  const [found, ...more] = await inspect({ command: [program], env: {} }, 50);
  rmSync(root, { recursive: true });
  expect(found).toMatchObject({ isNote: true });
  expect(found?.what).toContain("whether it is signed in is unknown");
  expect(more).toEqual([]);
});

test("a program that does not run is another check's finding", async () => {
  expect(await inspect({ command: ["/nowhere/claude"], env: {} })).toEqual([]);
});
