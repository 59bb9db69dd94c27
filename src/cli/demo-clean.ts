// `pawl demo --clean`: removes what demos left: their folders, their sockets, links to them in the
// temporary folder, and what their agent programs wrote there. A demo that still runs is not touched.
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { runtimeFolder } from "../config/home.ts";
import { createClient } from "./client.ts";
import { DEMO_PREFIX, placeOf, type DemoPlace } from "./demo-repository.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import { linksInto } from "./links-into.ts";
import { printJson } from "./output/rows.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";

export async function cleanDemos(deps: Deps, json: boolean): Promise<ExitCode> {
  const removed: string[] = [];
  const running: string[] = [];
  for (const place of demos()) {
    if (await runs(deps, place)) {
      running.push(place.folder);
      continue;
    }
    await removeDemo(deps, place);
    removed.push(place.folder);
  }
  for (const folder of running)
    deps.stderr(`${folder} still runs: Ctrl-C in its terminal ends it\n`);
  if (json) printJson(deps, { removed, running });
  else for (const folder of removed) deps.stdout(`removed ${folder}\n`);
  if (removed.length + running.length === 0) deps.stderr("there is no demo to remove\n");
  return running.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Folders of this user that have the parts of a demo. */
export const demos = (): DemoPlace[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith(DEMO_PREFIX))
    .map((name) => placeOf(join(tmpdir(), name)))
    .filter(({ folder }) => isOwnFolder(folder))
    .filter(({ home, command }) => existsSync(home) && existsSync(command));

const envOf = (deps: Deps, place: DemoPlace) => ({ ...deps.env, PAWL_HOME: place.home });

const runs = (deps: Deps, place: DemoPlace): Promise<boolean> =>
  createClient({
    env: envOf(deps, place),
    cwd: place.repo,
    version: deps.version,
    project: undefined,
  }).daemonRuns();

async function removeDemo(deps: Deps, place: DemoPlace): Promise<void> {
  const env = envOf(deps, place);
  const runtime = runtimeFolder(env, place.home);
  // Agents of a demo that was killed may still be alive.
  if (existsSync(join(runtime, "tmux.sock"))) {
    const { endAgentsWithoutDaemon } = await import("./daemon-main.ts");
    await endAgentsWithoutDaemon({ env, version: deps.version });
  }
  for (const folder of new Set([tmpdir(), "/tmp"])) {
    for (const link of linksInto(folder, place.folder)) rmSync(link, { force: true });
  }
  rmSync(runtime, { recursive: true, force: true });
  removeIfEmpty(dirname(runtime));
  removeOfAgents(place.folder);
  rmSync(place.folder, { recursive: true, force: true });
}

/** An agent program may keep files in a temporary folder of its user, by the path that it worked in. */
function removeOfAgents(demo: string): void {
  const start = demo.replaceAll(/[^a-zA-Z0-9]/g, "-");
  const ofUser = readdirSync(tmpdir()).filter((name) => name.endsWith(`-${userInfo().uid}`));
  for (const folder of ofUser.map((name) => join(tmpdir(), name)).filter(isOwnFolder)) {
    const left = readdirSync(folder).filter((name) => name.startsWith(start));
    for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
    if (left.length > 0) removeIfEmpty(folder);
  }
}

/** False for what another program has removed meanwhile. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
