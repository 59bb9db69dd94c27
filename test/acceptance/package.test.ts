// What would be published: packed, installed, and used from there.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const CHECKOUT = join(import.meta.dirname, "../..");
/** A guard, not a claim: a loaded machine is slow. */
const NPM_MAX_MS = 600_000;

/** Packed once, and installed as the documentation says: `npm install -g`, below a prefix of its own. */
let factory: Factory;
let prefix: string;
let tarball: string;

beforeAll(async () => {
  factory = await makeFactory({ config: SCRIPT_AGENT + TEST_GATE });
  prefix = join(factory.root, "prefix");
  npm(CHECKOUT, "pack", "--silent", "--pack-destination", factory.root);
  const [name = ""] = readdirSync(factory.root).filter((file) => file.endsWith(".tgz"));
  tarball = join(factory.root, name);
  // The bundle holds all it needs: nothing is asked of a registry.
  const quiet = ["--silent", "--no-audit", "--no-fund", "--offline"];
  npm(factory.root, "install", "--global", "--prefix", prefix, ...quiet, tarball);
  factory.env["PATH"] = `${join(prefix, "bin")}:${factory.env["PATH"] ?? ""}`;
});

afterAll(() => factory[Symbol.asyncDispose]());

function npm(cwd: string, ...args: string[]): string {
  const options = { cwd, env: factory.env, encoding: "utf8", timeout: NPM_MAX_MS } as const;
  return execFileSync("npm", args, { ...options, stdio: "pipe" });
}

/** Typed by its name: it is on the PATH. */
function typed(program: string, ...args: string[]) {
  const options = { cwd: factory.repo, env: factory.env, timeout: NPM_MAX_MS } as const;
  return spawnSync(program, args, { ...options, encoding: "utf8" });
}

function ok(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = typed(program, ...args);
  expect(status, stderr).toBe(0);
  return stdout;
}

test(
  "the package installed by npm install -g runs: version, demo, and a whole issue",
  {
    timeout: 2 * NPM_MAX_MS,
  },
  () => {
    const version = ok("pawl", "--version");
    expect(version).toMatch(/^\S+ \(commit [0-9a-f]{10}(?:, changed)?, Node 2\d\./);
    expect(version.split(" ")[0]).toBe(packageJson.version);
    expect(ok("story-automator", "--version").split(" ")[0]).toBe(packageJson.version);
    expect(JSON.parse(ok("pawl", "demo", "--json"))).toMatchObject({ issues: 8, landed: 8 });

    ok("pawl", "init", "--yes");
    ok("pawl", "issue", "add", "--title", "Add a file", "--body", "```sh\ntouch a\n```");
    ok("pawl", "run", "--until-idle");
    expect(factory.git("ls-tree", "--name-only", "main").split("\n")).toContain("a");

    ok("pawl", "up");
    expect(JSON.parse(ok("pawl", "status", "--json"))).toMatchObject({
      daemon: { version: packageJson.version },
    });
    // Formulas and the wrapper of their commands are in the bundle, too.
    ok("pawl", "formula", "run", "tour");
    ok("pawl", "down");
  },
);

test("npx runs the package without an installation", () => {
  const npx = ["--offline", "--yes", "--package", tarball, "pawl", "--version"];
  expect(ok("npx", ...npx).split(" ")[0]).toBe(packageJson.version);
});

/** The first Node of the machine that is too old; a checkout's own one is found first, and is not. */
function findOldNode(): string | undefined {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((node) => {
      const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout ?? "";
      return Number.parseInt(version.slice(1), 10) < 24;
    });
  if (found === undefined) console.log("SKIPPED: no Node on the PATH is older than 24");
  return found;
}

const oldNode = findOldNode();

test.skipIf(oldNode === undefined).each(["pawl", "story-automator"])(
  "%s of the package says which Node it needs where an older one runs it",
  (program) => {
    const node = oldNode ?? "";
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
    for (const args of [["--version"], ["status"], []]) {
      const { status, stdout, stderr } = typed(node, join(prefix, "bin", program), ...args);
      expect([status, stdout], stderr).toEqual([1, ""]);
      const [error = "", hint = "", ...more] = stderr.split("\n");
      expect(error).toContain(`pawl: cannot start with Node ${version} (`);
      expect(error).toContain("this package needs Node 24 or newer");
      expect(hint).toMatch(/^hint: install Node 24 .* or run \.\/pawl in a checkout/);
      expect(more).toEqual([""]);
    }
  },
);

test("every package that was bundled is in the notices with its licence, and in the SBOM", () => {
  const dist = join(prefix, "lib/node_modules", packageJson.name, "dist");
  // The bundler names what each part came from; the page is made smaller and has no names.
  const named = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => [...readFileSync(join(dist, file), "utf8").matchAll(REGION)])
    .map(([, name = ""]) => name);
  const bundled = new Set([...named, "preact", "@preact/signals", "@preact/signals-core", "uplot"]);
  expect(bundled.size).toBeGreaterThan(20);

  const notices = readFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8").split(/^-{78}$/m);
  const sbom = JSON.parse(readFileSync(join(dist, "sbom.cdx.json"), "utf8")) as Sbom;
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  for (const name of bundled) {
    const notice = notices.find((text) => text.trim().startsWith(`${name} `)) ?? "";
    expect(notice, name).toMatch(/Copyright[^]*(?:Permission|Redistribution)/i);
    const purl = sbom.components.map((one) => one.purl).find((one) => one.startsWith(purlOf(name)));
    expect(purl, name).toBe(`${purlOf(name)}${versionOf(name)}`);
  }
});

type Sbom = { components: { purl: string }[] };
const REGION = /^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm;

const purlOf = (name: string): string => `pkg:npm/${name.replace("@", "%40")}@`;

function versionOf(name: string): string {
  const manifest = readFileSync(join(CHECKOUT, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
