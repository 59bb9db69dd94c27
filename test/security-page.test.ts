// docs/security.md lists every way out that is tried from inside a session, each with its reason.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ESCAPES, HOST_ESCAPES, NETWORK_ESCAPES, TRAPS } from "./support/escapes.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/security.md"), "utf8");

test("the page lists the ways out that are tried, and no others", () => {
  const tables = page.slice(page.indexOf("### Ways out"), page.indexOf("### What walls do not"));
  const rows = [...tables.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(([, name]) => name);
  const named = rows.filter((name) => name !== "an agent cannot" && !name?.startsWith("-"));
  expect(named).toEqual([...ESCAPES, ...NETWORK_ESCAPES, ...HOST_ESCAPES].map(({ name }) => name));
  for (const { name } of TRAPS) expect(tables).toContain(name);
});
