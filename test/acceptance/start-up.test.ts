// What a command loads before it answers: how quickly it starts is felt at every call.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const HOOKS = join(import.meta.dirname, "../support/loaded-modules.ts");
/**
 * A way back to loading everything would be felt; a few more files are not. The data of runtimes, one small
 * file each, is not counted: the bundles hold all of it in one file, and there may be more of them.
 */
const MODULES_MAX = 182;
const RUNTIME_DATA = /src\/adapters\/agent-[\w-]+\/(?:runtime|monitored)\.ts/;

/** As people have it: without the check of every answer, which loads the schemas. */
const makeOwn = (): Promise<Factory> =>
  makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
    env: { PAWL_CHECK_ANSWERS: "" },
    fromSources: true,
  });

/** The files that one command loads; a daemon that was started before is not counted. */
async function loaded(factory: Factory, ...args: string[]): Promise<string[]> {
  const list = join(factory.root, "modules");
  Object.assign(factory.env, { NODE_OPTIONS: `--import ${HOOKS}`, PAWL_TEST_MODULES: list });
  await factory.ok(...args);
  delete factory.env["NODE_OPTIONS"];
  const urls = readFileSync(list, "utf8").trim().split("\n");
  rmSync(list);
  return urls.filter((url) => url.startsWith("file:"));
}

const named = (urls: string[], pattern: RegExp): string[] =>
  urls.filter((url) => pattern.test(url));

const NEVER_READ =
  /src\/adapters\/(?!forge-builtin\/|shared\/(?:title-line|prices|settings)|runtimes\.ts|agent-[\w-]+\/(?:runtime|monitored)\.ts)/;

/** What people ask most. */
const READS = [
  ["agents"],
  ["status"],
  ["why", "1"],
  ["issue", "list"],
  ["costs"],
  ["history"],
  ["merge-queue", "list"],
];

test("reads answer without a daemon, a web server, schemas or what starts agents", async () => {
  await using factory = await makeOwn();
  await factory.ok("issue", "add", "--title", "one");
  for (const read of READS) {
    const found = await loaded(factory, ...read);
    expect(named(found, /node_modules\/(?!.*(?:commander|get-east-asian-width))/)).toEqual([]);
    // The issues of a project without a forge are in the journal, and are read there.
    // What agents are called and may do is data; how they are started is not loaded.
    expect(named(found, NEVER_READ)).toEqual([]);
    const counted = found.filter((url) => !RUNTIME_DATA.test(url));
    expect(counted.length, read.join(" ")).toBeLessThanOrEqual(MODULES_MAX);
  }
  expect(named(await loaded(factory, "agents"), /src\/adapters\//)).toEqual([]);
});

/** A daemon whose start takes long answers before it has read the issues. */
const knowsIssue = (factory: Factory): Promise<true> =>
  factory.until("the daemon knows the issue", async () => {
    return (await factory.pawl("why", "1")).code === 0;
  });

test("a command that a daemon answers loads nothing that could answer it here", async () => {
  await using factory = await makeOwn();
  await factory.ok("up");
  await factory.ok("issue", "add", "--title", "one");
  await knowsIssue(factory);
  for (const read of READS) {
    const found = await loaded(factory, ...read);
    expect(named(found, /src\/(?:adapters|core|daemon|ports|store)\/|zod|hono/)).toEqual([]);
  }
});

/** Files that a start of the package reads: main.js, what stands before it, and what is kept together. */
const PACKED_MAX = { served: 8, alone: 12 };

test("the package reads a few files for a command that looks, and no library of schemas or servers", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
    env: { PAWL_CHECK_ANSWERS: "" },
  });
  await factory.ok("issue", "add", "--title", "one");
  for (const read of [["status"], ["agents"], ["why", "1"]]) {
    const found = await loaded(factory, ...read);
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(PACKED_MAX.alone);
  }
  await factory.ok("up");
  await knowsIssue(factory);
  for (const read of [["status"], ["agents"], ["why", "1"]]) {
    const found = await loaded(factory, ...read);
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(PACKED_MAX.served);
  }
});

/** Whether a command starts git: one that is found first notes that, and passes everything on. */
async function startsGit(factory: Factory, ...args: string[]): Promise<boolean> {
  const folder = join(factory.root, "first");
  const path = factory.env["PATH"] ?? "";
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\ntouch ${folder}/started\nPATH=${JSON.stringify(path)} exec git "$@"\n`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o700);
  factory.env["PATH"] = `${folder}:${path}`;
  await factory.ok(...args);
  factory.env["PATH"] = path;
  const isStarted = existsSync(join(folder, "started"));
  rmSync(folder, { recursive: true });
  return isStarted;
}

test("status starts git only for a pawl.toml that is not known to be the one in force", async () => {
  await using factory = await makeOwn();
  await factory.ok("issue", "add", "--title", "one");
  expect(await startsGit(factory, "status")).toBe(false);
  await factory.ok("up");
  expect(await startsGit(factory, "status")).toBe(false);
  const text = readFileSync(join(factory.repo, "pawl.toml"), "utf8");
  factory.write({ "pawl.toml": `${text}# edited\n` });
  expect(await startsGit(factory, "status")).toBe(true);
});
