// Every workspace has an owner, every owner its workspace, and no dead git stands in an agent's way.
import { rm } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import type { Project } from "../../../core/project/project.ts";
import { isOver, type Run } from "../../../core/run/run.ts";
import type { Check, Trouble } from "../check.ts";
import { namesIn, statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";
import { notSaved } from "../save-first.ts";

/** No git of an agent's holds the index so long. */
const LOCK_STALE_MS = 15 * 60_000;
const CLOCK_MARGIN_MS = 60_000;
/** `dev-7.new`, `dev-7.removing` and `dev-7.aside-1` are states of one that has an owner. */
const IDENTITY = /^[a-z]+-[\w-]+$/;

export const workspacesCheck: Check = {
  id: "workspaces",
  title: "workspaces and their owners",
  run: async (inspection) => {
    const found = await Promise.all(
      (await inspection.projects()).map((one) => look(inspection, one)),
    );
    return found.flat();
  },
};

async function look(inspection: Inspection, { name, config }: Project): Promise<Trouble[]> {
  if (config === undefined) return [];
  const { paths } = inspection;
  const runs = (await inspection.runs()).filter((run) => run.project === name);
  const folder = join(paths.project(name), "workspaces");
  const identities = (await namesIn(folder)).filter((one) => IDENTITY.test(one));
  const past = await lastOwners(inspection, { project: name, identities, runs });
  const ownerless = identities.filter((one) => ![...runs, ...past].some((run) => keeps(run, one)));
  const missing = runs.filter(
    ({ session, identity }) => session?.status === "live" && !identities.includes(identity),
  );
  const locks = await Promise.all(
    identities.map((one) => staleLock(inspection, join(folder, one))),
  );
  return [
    ...ownerless.map((identity) => {
      const notHeld = past.find((run) => run.identity === identity)?.unsaved;
      return withoutOwner(inspection, { project: name, identity, notHeld });
    }),
    ...missing.map(({ identity, project }) => ({
      key: `missing ${identity}`,
      what: `${identity} of ${project} is working, but its workspace is missing`,
      hint: `\`pawl stop\` and \`pawl retry\` rebuild it from its last checkpoint`,
    })),
    ...runs.filter((run) => !isOver(run)).flatMap(unsaved),
    ...locks.flat(),
  ];
}

/** Of each workspace that no living run has: the run that last worked there. */
async function lastOwners(
  { store }: Inspection,
  { project, identities, runs }: { project: Project["name"]; identities: string[]; runs: Run[] },
): Promise<Run[]> {
  const left = identities.filter((one) => !runs.some(({ identity }) => identity === one));
  const last = (name: string) => store.named({ kind: "run", project, name, limit: 1 });
  const found = (await Promise.all(left.map(last))).flat();
  return found.flatMap(({ state }) => (state.kind === "run" ? [state] : []));
}

/** What the newest checkpoint of a run does not hold. */
const unsaved = ({ identity, unsaved: what }: Run): Trouble[] =>
  what === undefined
    ? []
    : [
        {
          key: `unsaved ${identity}`,
          what,
          hint: `\`pawl checkpoint show ${identity}\` lists the paths; move, delete or ignore them`,
        },
      ];

/** Landed work is on the target; all other work may still be inspected or resumed. */
const keeps = (run: Run, identity: string): boolean =>
  run.identity === identity && !(isOver(run) && run.outcome?.kind === "landed");

function withoutOwner(
  inspection: Inspection,
  owner: { project: Project["name"]; identity: string; notHeld: string | undefined },
): Trouble {
  const reason = owner.notHeld === undefined ? "" : `. ${owner.notHeld}`;
  const path = inspection.paths.workspace(owner.project, owner.identity);
  return {
    key: path,
    what: `${path} belongs to no run that could resume it${reason}`,
    fix: {
      plan: `save ${path} as a checkpoint of ${owner.identity}, then remove it`,
      apply: async () => {
        const { git } = await inspection.ports.project(owner.project);
        const removal = await git.removeWorkspace({ path, identity: owner.identity });
        if (removal.kind === "kept") throw notSaved(path, removal.unsaved);
      },
    },
  };
}

async function staleLock({ now }: Inspection, workspace: string): Promise<Trouble[]> {
  const path = join(workspace, ".git", "index.lock");
  const found = await statOf(path);
  const age = now - (found?.mtimeMs ?? now);
  // A lock from before the machine was started belongs to no one.
  const isOfEarlierBoot = age > uptime() * 1000 + CLOCK_MARGIN_MS;
  if (found === undefined || (age < LOCK_STALE_MS && !isOfEarlierBoot)) return [];
  const what = `${path} was left behind by a git process that died: the agent cannot commit`;
  const fix = { plan: `remove ${path}`, apply: () => rm(path, { force: true }) };
  return [{ key: path, what, fix }];
}
