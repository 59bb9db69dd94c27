// People who edit pawl.toml on the target while the factory runs: gates change, the file becomes
// invalid, and a person repairs it.
import { BROKEN, POLICY_FILE } from "./config.ts";
import type { SimProject, World } from "./world.ts";

const ROUND_MS = 5 * 60_000;
const ROUNDS_PER_HOUR = 12;
const EDITIONS = 3;
const REPAIRS_PER_HOUR = 0.5;

export function startConfigPeople(world: World): void {
  const { clock, prng, projects } = world;
  clock.after(1 + prng.config.int(2 * ROUND_MS), () => {
    for (const project of projects.values()) round(world, project);
    startConfigPeople(world);
  });
}

function round(world: World, project: SimProject): void {
  const { faults, prng } = world;
  const isBroken = project.repository.files(project.target).get(POLICY_FILE) === BROKEN;
  const hourly = (rate: number): boolean => prng.config.chance(rate / ROUNDS_PER_HOUR);
  if (isBroken && (!faults.on || hourly(REPAIRS_PER_HOUR))) {
    edit(world, project, `edition = ${1 + prng.config.int(EDITIONS)}`);
  } else if (faults.on && hourly(faults.rate("configEdit"))) {
    const text = faults.strikes("configBroken")
      ? BROKEN
      : `edition = ${1 + prng.config.int(EDITIONS)}`;
    edit(world, project, text);
  }
}

function edit(world: World, project: SimProject, text: string): void {
  const { repository, target } = project;
  const files = new Map(repository.files(target)).set(POLICY_FILE, text);
  const tree = repository.tree(files);
  if (tree === repository.treeOf(target)) return;
  world.tell({
    kind: "person-did",
    what: `a person writes "${text}" to pawl.toml of ${project.name}`,
  });
  const to = repository.commit({ tree, parents: [target], message: "other rules" });
  world.moveTarget(project, to, "others");
}
