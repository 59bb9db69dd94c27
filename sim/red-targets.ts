// Projects that are red on their CI server when Pawl comes: a person pushed a bug, and the server has
// judged it. People fix it later (people.ts).
import { isServerAlone } from "./options.ts";
import { BUG } from "./truth.ts";
import type { SimProject, World } from "./world.ts";

export function startRedTargets(world: World): void {
  if (world.options.redTarget !== true || !isServerAlone(world.options)) return;
  for (const project of world.projects.values()) begin(world, project);
}

function begin(world: World, project: SimProject): void {
  const { repository, target, ciServer } = project;
  const files = new Map(repository.files(target)).set("others.txt", BUG);
  const tree = repository.tree(files);
  const to = repository.commit({ tree, parents: [target], message: "a bug of before" });
  ciServer?.judged(to);
  world.moveTarget(project, to, "others");
}
