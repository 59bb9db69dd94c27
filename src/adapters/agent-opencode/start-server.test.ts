import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "./start-server.ts";

/** A server that ends at once the first times, as opencode does while another builds its database. */
const PROGRAM = `
const { appendFileSync, readFileSync } = require("node:fs");
const [, , dir, failures] = process.argv;
appendFileSync(dir + "/starts", "x");
if (readFileSync(dir + "/starts", "utf8").length <= Number(failures)) {
  console.error("Failed query: CREATE TABLE");
  process.exit(1);
}
const health = JSON.stringify({ version: "1.18.33" });
require("node:http").createServer((_, answer) => answer.end(health)).listen(process.argv.at(-1));
`;

function start(failures: number) {
  const dir = mkdtempSync(join(tmpdir(), "pawl-opencode-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const program = join(dir, "program.cjs");
  writeFileSync(program, PROGRAM);
  const argv = [process.execPath, program, dir, String(failures)];
  const starting = startServer({ argv, env: {}, workspace: dir, dir }, () => undefined);
  return { starting, starts: () => readFileSync(join(dir, "starts"), "utf8").length };
}

test("a server that fails while another builds the database is started again", async () => {
  const { starting, starts } = start(2);
  const { server, version, env } = await starting;
  expect([version, starts()]).toEqual(["1.18.33", 3]);
  expect(env["OPENCODE_SERVER_PASSWORD"]).toBeTruthy();
  await server.close();
});

test("a server that fails every time is given up, with what it said", async () => {
  const { starting, starts } = start(99);
  await expect(starting).rejects.toThrow("Failed query: CREATE TABLE");
  expect(starts()).toBe(4);
});
