// What would be published: packed, installed into an empty folder, and used from there.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CHECKOUT = join(import.meta.dirname, "../..");
const NPM_MAX_MS = 120_000;

test(
  "the packed tarball runs from an empty folder: version, demo, daemon",
  { timeout: 300_000 },
  async () => {
    await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}` });
    const npm = (cwd: string, ...args: string[]): string =>
      execFileSync("npm", args, {
        cwd,
        env: factory.env,
        encoding: "utf8",
        stdio: "pipe",
        timeout: NPM_MAX_MS,
      });
    const empty = join(factory.root, "empty");
    mkdirSync(empty);
    npm(CHECKOUT, "pack", "--silent", "--pack-destination", factory.root);
    const [tarball = ""] = readdirSync(factory.root).filter((name) => name.endsWith(".tgz"));
    // The bundle holds all it needs: nothing is asked of a registry.
    npm(empty, "install", "--silent", "--no-audit", "--no-fund", "--offline", join("..", tarball));

    const installed = (cwd: string, ...args: string[]) =>
      spawnSync(join(empty, "node_modules/.bin/pawl"), args, {
        cwd,
        env: factory.env,
        encoding: "utf8",
        timeout: NPM_MAX_MS,
      });
    const version = installed(empty, "--version").stdout;
    expect(version).toMatch(/^\S+ \(commit [0-9a-f]{10}(?:, changed)?, Node 2\d\./);
    expect(version.split(" ")[0]).toBe(packageJson.version);
    const demo = installed(empty, "demo", "--json");
    expect(demo.status, demo.stderr).toBe(0);
    expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });

    const story = spawnSync(join(empty, "node_modules/.bin/story-automator"), ["--version"], {
      env: factory.env,
      encoding: "utf8",
      timeout: NPM_MAX_MS,
    });
    expect(story.stdout.split(" ")[0], story.stderr).toBe(packageJson.version);

    const up = installed(factory.repo, "up");
    expect(up.status, up.stderr).toBe(0);
    expect(JSON.parse(installed(factory.repo, "status", "--json").stdout)).toMatchObject({
      daemon: { version: packageJson.version },
    });
    // Formulas and the wrapper of their commands are in the bundle, too.
    const tour = installed(factory.repo, "formula", "run", "tour");
    expect(tour.status, tour.stderr).toBe(0);
    expect(installed(factory.repo, "down").status).toBe(0);
  },
);
