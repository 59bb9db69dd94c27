// The hub of each project is whole: it is there, no dead git holds a lock, and every ref can be read.
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "../../../adapters/shared/run.ts";
import { isStaleLock } from "../../../adapters/shared/stale-lock.ts";
import type { Project } from "../../../core/project/project.ts";
import { toolEnvironment } from "../../host/environment.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const GIT_TIMEOUT_MS = 3_500;

export const hubCheck: Check = {
  id: "hub",
  title: "Pawl's repository (the hub) of each project",
  run: async (inspection) => {
    const found = await Promise.all(
      (await inspection.projects()).map((one) => look(inspection, one)),
    );
    return found.flat();
  },
};

async function look(
  inspection: Inspection,
  { name, config, observedAt }: Project,
): Promise<Trouble[]> {
  const hub = inspection.paths.hub(name);
  if (config === undefined || observedAt === undefined) return [];
  if ((await statOf(join(hub, "HEAD"))) === undefined) {
    const apply = async (): Promise<void> => {
      await (await inspection.ports.project(name)).git.fetchTarget();
    };
    const plan = `create ${hub} again and fetch the target; the checkpoints of the old hub are lost`;
    return [{ key: hub, what: `${hub} is missing or damaged`, fix: { plan, apply } }];
  }
  return [...(await locks(inspection, hub)), ...(await brokenRefs(hub))];
}

async function locks({ now }: Inspection, hub: string): Promise<Trouble[]> {
  const inRefs = (await readdir(join(hub, "refs"), { recursive: true })).map(
    (one) => `refs/${one}`,
  );
  const names = [...inRefs, ...(await readdir(hub))].filter((one) => one.endsWith(".lock"));
  const found = await Promise.all(
    names.map(async (name): Promise<Trouble[]> => {
      const path = join(hub, name);
      if (!(await isStaleLock(hub, name, { now }))) return [];
      const fix = { plan: `remove ${path}`, apply: () => rm(path, { force: true }) };
      return [{ key: path, what: `${path} was left behind by a git process that died`, fix }];
    }),
  );
  return found.flat();
}

/** A power cut can leave a ref empty; git then refuses half of what it is asked. */
async function brokenRefs(hub: string): Promise<Trouble[]> {
  const { stderr } = await run({
    argv: ["git", "--git-dir", hub, "-c", "core.hooksPath=/dev/null", "for-each-ref", "--format="],
    cwd: "/",
    env: { ...toolEnvironment(), LC_ALL: "C" },
    timeoutMs: GIT_TIMEOUT_MS,
    maxBytes: 1_000_000,
    what: `list the refs of ${hub}`,
  });
  const names = [...stderr.matchAll(/ignoring broken ref (?<name>refs\/\S+)/g)];
  return names.map((match) => {
    const name = match.groups?.["name"] ?? "";
    const aside = join(hub, "pawl", "broken-refs", `${basename(name)}.${Date.now()}`);
    return {
      key: name,
      what: `${name} of ${hub} cannot be read`,
      fix: {
        plan: `move the file of ${name} to ${aside}; what it pointed at stays`,
        apply: async () => {
          await mkdir(join(hub, "pawl", "broken-refs"), { recursive: true });
          await rename(join(hub, name), aside);
        },
      },
    };
  });
}
