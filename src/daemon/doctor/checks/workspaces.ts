// Every workspace has an owner, every owner its workspace, and no dead git stands in an agent's way.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../../../core/project/project.ts";
import { isOver, type Run } from "../../../core/run/run.ts";
import type { Check, Trouble } from "../check.ts";
import { namesIn, statOf } from "../files.ts";
import type { Patient } from "../patient.ts";
import { saveFirst } from "../save-first.ts";

/** No git of an agent's holds the index so long. */
const LOCK_STALE_MS = 15 * 60_000;
/** `dev-7.new`, `dev-7.removing` and `dev-7.aside-1` are states of one that has an owner. */
const IDENTITY = /^[a-z]+-[\w-]+$/;

export const workspacesCheck: Check = {
  id: "workspaces",
  title: "every workspace has an owner, and every owner its workspace",
  run: async (patient) => {
    const found = await Promise.all((await patient.projects()).map((one) => look(patient, one)));
    return found.flat();
  },
};

async function look(patient: Patient, { name, config }: Project): Promise<Trouble[]> {
  if (config === undefined) return [];
  const { paths } = patient;
  const runs = (await patient.runs()).filter((run) => run.project === name);
  const folder = join(paths.project(name), "workspaces");
  const identities = (await namesIn(folder)).filter((one) => IDENTITY.test(one));
  const ownerless = identities.filter((one) => !runs.some((run) => keeps(run, one)));
  const missing = runs.filter(
    ({ session, identity }) => session?.status === "live" && !identities.includes(identity),
  );
  const locks = await Promise.all(identities.map((one) => staleLock(patient, join(folder, one))));
  return [
    ...ownerless.map((identity) => withoutOwner(patient, { project: name, identity })),
    ...missing.map(({ identity, project }) => ({
      key: `missing ${identity}`,
      what: `${identity} of ${project} works, but its workspace is gone`,
      hint: `\`pawl stop\` and \`pawl retry\` rebuild it from its last checkpoint`,
    })),
    ...locks.flat(),
  ];
}

/** What landed is on the target; everything else may still be looked at or gone on with. */
const keeps = (run: Run, identity: string): boolean =>
  run.identity === identity && !(isOver(run) && run.outcome?.kind === "landed");

function withoutOwner(
  patient: Patient,
  owner: { project: Project["name"]; identity: string },
): Trouble {
  const path = patient.paths.workspace(owner.project, owner.identity);
  return {
    key: path,
    what: `${path} belongs to no run that could go on`,
    mend: {
      plan: `save ${path} as a checkpoint of ${owner.identity}, then remove it`,
      apply: async () => {
        await saveFirst(patient, owner);
        const { git } = await patient.ports.project(owner.project);
        await git.removeWorkspace(path);
      },
    },
  };
}

async function staleLock({ now }: Patient, workspace: string): Promise<Trouble[]> {
  const path = join(workspace, ".git", "index.lock");
  const found = await statOf(path);
  if (found === undefined || now - found.mtimeMs < LOCK_STALE_MS) return [];
  const what = `${path} was left by a git that died: the agent cannot commit`;
  const mend = { plan: `remove ${path}`, apply: () => rm(path, { force: true }) };
  return [{ key: path, what, mend }];
}
