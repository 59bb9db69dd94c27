// People who edit pawl.toml on the target while the factory runs: gates change, the file becomes
// invalid, and a person repairs it. When nothing goes wrong any more, it is made invalid once more in
// some simulations, and stays so for hours: only then is there time for people to be told.
import { BROKEN, POLICY_FILE } from "./config.ts";
import type { SimProject, World } from "./world.ts";

const ROUND_MS = 5 * 60_000;
const ROUNDS_PER_HOUR = 12;
const EDITIONS = 3;
const REPAIRS_PER_HOUR = 0.5;
const LAST_BREAK = 0.5;
const LAST_REPAIR_MS = 3 * 3_600_000;

export function startConfigPeople(world: World): void {
  const { clock, prng, projects } = world;
  let calmSince: number | undefined;
  const again = (): void => {
    clock.after(1 + prng.config.int(2 * ROUND_MS), () => {
      const isFirst = !world.faults.on && calmSince === undefined;
      if (isFirst) calmSince = clock.monotonicMs();
      const calmMs = calmSince === undefined ? 0 : clock.monotonicMs() - calmSince;
      for (const project of projects.values()) {
        if (isFirst) breakLast(world, project);
        round(world, project, calmMs);
      }
      again();
    });
  };
  again();
}

export const isPolicyBroken = ({ repository, target }: SimProject): boolean =>
  repository.files(target).get(POLICY_FILE) === BROKEN;

function breakLast(world: World, project: SimProject): void {
  // A regression that is older than the fault does not name it.
  const isEdited = (world.options.rates.configEdit ?? 0) > 0;
  if (isEdited && world.prng.config.chance(LAST_BREAK)) edit(world, project, BROKEN);
}

function round(world: World, project: SimProject, calmMs: number): void {
  const { faults, prng } = world;
  const hourly = (rate: number): boolean => prng.config.chance(rate / ROUNDS_PER_HOUR);
  const isRepaired = (): boolean =>
    faults.on ? hourly(REPAIRS_PER_HOUR) : calmMs >= LAST_REPAIR_MS;
  if (isPolicyBroken(project) && isRepaired()) {
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
