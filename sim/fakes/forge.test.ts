import { forgeContract } from "../../src/ports/forge.contract.ts";
import type { Stranger } from "../../src/ports/forge-under-test.ts";
import { commitId } from "../../src/core/ids.ts";
import { STRANGER } from "../config.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { ForgeRecords } from "./forge-records.ts";
import { merging } from "./merging.ts";

forgeContract("the simulated forge", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1, remote: true, forgeMerges: true });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  let now = 0;
  project.forge = new ForgeRecords(() => (now += 1));
  const { repository, upstreamBranches } = project;
  return {
    forge: { ...project.forge.forge(), ...merging(new Life(world, 1), project) },
    push: async (branch) => {
      const tree = repository.tree(new Map([[branch, world.stamp()]]));
      const parents = [upstreamBranches.get(branch) ?? project.target];
      const to = repository.commit({ tree, parents, message: branch });
      world.moveUpstream(project, { branch, to }, "others");
      return to;
    },
    land: async (head) => world.moveTarget(project, head, "others"),
    stranger: strangerOn(project.forge),
    close: async () => undefined,
  };
});

function strangerOn(forge: ForgeRecords): Stranger {
  const author = STRANGER;
  let count = 0;
  const key = (): string => `stranger ${(count += 1)}`;
  return {
    login: author,
    texts: async (number) => [
      (forge.issueByNumber.get(number) ?? forge.prByNumber.get(number))?.body ?? "",
      ...(forge.commentsOf.get(number) ?? []).map(({ body }) => body),
      ...(forge.reviewsOf.get(number) ?? []).map(({ body }) => body),
    ],
    comment: async (issue, body) => void forge.say({ issue, author, body }),
    approve: async (pr, said) =>
      void forge.review({ pr, ...said, verdict: "approve", author, key: key() }),
    fileIssue: async ({ title, body }) =>
      forge.createIssue({ title, body, labels: [], author, key: key() }).number,
    openPr: async (branch, body) =>
      forge.openForeignPr({ branch, body, head: commitId("foreign") }),
  };
}
