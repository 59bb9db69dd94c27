// Registers a project: its repository and pawl.toml are read, and both facts are journaled.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { configHash } from "../../config/config-hash.ts";
import { chooseConfig, CONFIG_FILE, configError } from "../../config/load.ts";
import type { ProjectConfig, Upstream } from "../../core/config.ts";
import { commitId, projectAggregate, projectName, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";
import type { StoreReader } from "../../ports/store.ts";
import { askGit } from "./ask-git.ts";
import { isSameUpstream, refuseSeveralPlaces, upstreamOf } from "./upstream-of.ts";
import type { Loop } from "../engine/loop.ts";
import type { ReadConfig } from "../observing/observe-project.ts";
import { unrequiredChecks } from "../observing/unrequired-checks.ts";

type RegisterDeps = {
  store: StoreReader;
  loop: Loop;
  now: () => number;
  /** The forge of a project that is not known yet. */
  forgeOf: (config: ProjectConfig) => Promise<Forge>;
};

export function createRegister(deps: RegisterDeps) {
  return async (folder: string, { agrees = false } = {}): Promise<ProjectName> => {
    const root = await repositoryRoot(folder);
    const { config, source } = await usableConfig(deps.store, root);
    const name = projectName(config.name);
    const known = await refuseTaken(deps.store, { name, root });
    await refuseSharedState(deps.store, { name, config });
    await refuseUnrequired(config, { root, forgeOf: deps.forgeOf });
    await refuseSeveralPlaces(root);
    const there = await upstreamOf(root);
    // A remote that was added since would get every commit on the target, those that were only here too.
    const isNew = known !== undefined && !agrees && !isSameUpstream(known.upstream, there);
    const upstream = isNew ? known.upstream : there;
    const asked = isNew ? { asked: there } : {};
    const to = projectAggregate(name);
    const at = deps.now();
    const registered = { kind: "project-registered", at, name, root, upstream, ...asked } as const;
    await deps.loop.submit({ to, event: registered });
    const hash = await hashInForce(root, { target: config.target, upstream });
    const event = { kind: "project-configured", at, config, source, ...hash } as const;
    await deps.loop.submit({ to, event });
    return name;
  };
}

/**
 * The checkout's pawl.toml, which must be usable before anything is started. A mistake in it does not
 * stop a project that is known, as long as the one on the target is valid: that one is in force.
 */
export async function usableConfig(
  store: StoreReader,
  root: string,
): Promise<{ config: ProjectConfig; source: "checkout" | "target" }> {
  const chosen = chooseConfig({ atTarget: undefined, inCheckout: await configText(root) });
  if (chosen.kind === "valid") {
    return { config: withStateFolder(chosen.config, root), source: "checkout" };
  }
  const config = await configInForce(store, root);
  if (config === undefined) throw configError(chosen);
  return { config: withStateFolder(config, root), source: "target" };
}

/** Undefined where no project of this folder is known, or its target has none that is valid. */
async function configInForce(store: StoreReader, root: string): Promise<ProjectConfig | undefined> {
  for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (state.kind !== "project" || state.root !== root || state.config === undefined) continue;
    const { upstream } = state;
    const atTarget = await textInForce(root, { target: state.config.target, upstream });
    const chosen = chooseConfig({ atTarget, inCheckout: undefined });
    if (chosen.kind === "valid" && chosen.config.name === state.name) return chosen.config;
  }
  return undefined;
}

/** `state_dir` is meant from the repository: the daemon itself works at the root of the file system. */
const withStateFolder = (config: ProjectConfig, root: string): ProjectConfig =>
  config.stateDir === undefined ? config : { ...config, stateDir: resolve(root, config.stateDir) };

/** Identities and hooks of two projects have the same names: each would overwrite the other's. */
async function refuseSharedState(
  store: StoreReader,
  { name, config }: { name: ProjectName; config: ProjectConfig },
): Promise<void> {
  if (config.stateDir === undefined) return;
  for (const { state } of await store.aggregates({ kind: "project" })) {
    if (state.kind !== "project" || state.name === name) continue;
    if (state.config?.stateDir !== config.stateDir) continue;
    throw new OperationError(
      `cannot use state_dir ${config.stateDir} for project "${name}": project "${state.name}" publishes its state there`,
      {
        code: "state-dir-taken",
        hint: `give each project its own state_dir in ${CONFIG_FILE}`,
      },
    );
  }
}

/** Of the user's own repository; what a remote has is seen when it is fetched. */
export async function refuseMissingTarget(
  root: string,
  { target, upstream }: Target,
): Promise<void> {
  if (upstream.kind === "remote") return;
  const args = ["rev-parse", "--verify", "--quiet", `refs/heads/${target}`];
  if ((await askGit(root, args)) !== undefined) return;
  throw new OperationError(`cannot follow ${target}: ${root} has no such branch`, {
    code: "target-missing",
    hint: `set \`target\` under [project] in ${CONFIG_FILE}, or make the branch`,
  });
}

type Target = { target: string; upstream: Upstream };

async function hashInForce(root: string, target: Target): Promise<{ hash?: string }> {
  const text = await textInForce(root, target);
  return text === undefined ? {} : { hash: configHash(text) };
}

/** Undefined where the target has no pawl.toml, as far as this repository knows. */
function textInForce(root: string, { target, upstream }: Target): Promise<string | undefined> {
  const ref = upstream.kind === "remote" ? `refs/remotes/origin/${target}` : `refs/heads/${target}`;
  return askGit(root, ["cat-file", "blob", `${ref}:${CONFIG_FILE}`]);
}

async function refuseTaken(
  store: StoreReader,
  wanted: { name: ProjectName; root: string },
): Promise<Project | undefined> {
  const stored = await store.load(projectAggregate(wanted.name));
  if (stored?.state.kind !== "project") return undefined;
  if (stored.state.root === wanted.root) return stored.state;
  throw new OperationError(
    `cannot register ${wanted.root} as project "${wanted.name}": that name belongs to ${stored.state.root}`,
    { code: "name-taken", hint: `give it another [project] name in its ${CONFIG_FILE}` },
  );
}

/** Before anything is started: what its CI server says could let through what was not checked. */
async function refuseUnrequired(
  config: ProjectConfig,
  { root, forgeOf }: { root: string } & Pick<RegisterDeps, "forgeOf">,
): Promise<void> {
  if (config.ci.server === undefined) return;
  const tip = await askGit(root, ["rev-parse", "--verify", "--quiet", `origin/${config.target}`]);
  const known = tip === undefined || tip === "" ? undefined : commitId(tip);
  const problem = await unrequiredChecks(config, () => forgeOf(config), known);
  if (problem === undefined) return;
  throw new OperationError(`cannot use ${CONFIG_FILE}: ${problem}`, {
    code: "config-invalid",
    hint: `or protect ${config.target} on the forge and require the checks there`,
  });
}

async function repositoryRoot(folder: string): Promise<string> {
  const found = await askGit(folder, ["rev-parse", "--show-toplevel"]);
  if (found !== undefined && found !== "") return found;
  throw new OperationError(`${folder} is not inside a git repository`, {
    code: "not-a-repository",
    hint: "go to the repository, or make one with `git init`",
  });
}

async function configText(root: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, CONFIG_FILE), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The rules come from the target's tip; a target that has none takes them from the checkout. */
export const readConfig: ReadConfig = async (project, own, target) => {
  const chosen = chooseConfig({
    atTarget: await own.git.readFile(target, CONFIG_FILE),
    inCheckout: await configText(project.root),
  });
  if (chosen.kind !== "valid") return { kind: "invalid", problem: configError(chosen).message };
  const config = withStateFolder(chosen.config, project.root);
  if (config.name !== project.name) {
    return {
      kind: "invalid",
      problem: `project.name changed from "${project.name}" to "${config.name}"`,
    };
  }
  const problem = await unrequiredChecks(config, async () => own.forge, target);
  if (problem !== undefined) return { kind: "invalid", problem };
  return { kind: "valid", config, source: chosen.from, hash: configHash(chosen.text) };
};
