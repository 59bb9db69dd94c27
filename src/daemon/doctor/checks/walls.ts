// The walls around agents: projects that have none are told so, and those that want some can have them.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lostInWalls } from "../../../adapters/runtimes.ts";
import type { ProjectConfig } from "../../../core/config.ts";
import { hiddenInside, hiddenText } from "../../../config/hidden-inside.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import { toolEnvironment } from "../../host/environment.ts";
import { frameOf } from "../../host/walls.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

export const wallsCheck: Check = {
  id: "walls",
  title: "walls around agents",
  run: async (inspection) => {
    const projects = await inspection.committed();
    return (await Promise.all(projects.map((project) => look(project, inspection)))).flat();
  },
};

/** Before the first fetch of a project there is no hub, and walls can be built all the same. */
function placeFor(hub: string): { cwd: string; isHub: boolean } & Disposable {
  if (existsSync(hub)) return { cwd: hub, isHub: true, [Symbol.dispose]: () => undefined };
  const cwd = mkdtempSync(join(tmpdir(), "pawl-walls-"));
  const remove = (): void => rmSync(cwd, { recursive: true, force: true });
  return { cwd, isHub: false, [Symbol.dispose]: remove };
}

type Project = Awaited<ReturnType<Inspection["committed"]>>[number];

async function look(
  { name, root, config }: Project,
  { ports, paths }: Inspection,
): Promise<Trouble[]> {
  if (config === undefined) return [];
  if (config.isolation === undefined) return [without(name, config.agent.runtime)];
  const frame = frameOf(config, { project: name, root, paths });
  if (frame === undefined) return [];
  try {
    using place = placeFor(paths.hub(name));
    const read = place.isHub ? frame.read : [];
    await ports.walls.probe({ ...frame, read, cwd: place.cwd, env: toolEnvironment(), write: [] });
    const limits = await ports.walls.limits(frame.isolation);
    return [...heldLimits(name, limits), ...lostAgent(name, config), ...hiddenFiles(name, config)];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { message, hint } = error;
    const what = `${name}: no agent starts: ${message}`;
    return [{ key: `walls:${name}`, what, ...(hint === undefined ? {} : { hint }) }];
  }
}

function without(name: string, runtime: string): Trouble {
  const lost = lostInWalls(runtime);
  return {
    key: `no-walls:${name}`,
    what: `${name} has no section [isolation]: agents run with all rights of your user`,
    hint:
      lost === undefined
        ? 'write [isolation] and mode = "bwrap" into pawl.toml; see docs/security.md'
        : `write [isolation] and mode = "none" into pawl.toml to confirm it: ${lost}`,
    isNote: true,
  };
}

/** Limits differ in what they hold for: a number alone would promise too much. */
function heldLimits(name: string, limits: string[]): Trouble[] {
  if (limits.length === 0) return [];
  const what = `${name}: agents have at most ${limits.join(", ")}`;
  const hint = "docs/security.md says what each limit applies to";
  return [{ key: `limits:${name}`, what, hint, isNote: true }];
}

/** Every start of the agent would crash. */
function hiddenFiles(name: string, config: ProjectConfig): Trouble[] {
  const env = toolEnvironment();
  const hidden = hiddenInside(config, { home: env["HOME"] ?? "/", path: env["PATH"] ?? "" });
  if (hidden.length === 0) return [];
  const hint = "then check it with `pawl config check`";
  return [{ key: `hidden:${name}`, what: `${name}: ${hiddenText(hidden)}`, hint }];
}

function lostAgent(name: string, { agent, isolation }: ProjectConfig): Trouble[] {
  const lost = lostInWalls(agent.runtime, isolation?.write);
  if (lost === undefined) return [];
  return [
    {
      key: `lost-in-walls:${name}`,
      what: `${name}: ${lost}`,
      hint: 'name them in [isolation] write, or write mode = "none" there; see docs/security.md',
      isNote: true,
    },
  ];
}
