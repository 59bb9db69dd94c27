// As the real git: what is asked about one branch is done in the order in which it was asked, however
// slow the first of it is. Whatever is not about a branch goes on beside it.
import type { Git } from "../../src/ports/git.ts";

type Ordered = "fetchBranch" | "pushBranch" | "deleteBranch";

export function inBranchOrder(git: Git): Git {
  const underWay = new Map<string, Promise<unknown>>();

  function ordered<Name extends Ordered>(name: Name): Git[Name] {
    const call = git[name] as (request: { branch: string }) => Promise<unknown>;
    const inTurn = (request: { branch: string }): Promise<unknown> => {
      const before = underWay.get(request.branch);
      const begin = (): Promise<unknown> => call(request);
      const mine = before === undefined ? begin() : before.then(begin, begin);
      underWay.set(request.branch, mine);
      const over = (): void => {
        if (underWay.get(request.branch) === mine) underWay.delete(request.branch);
      };
      mine.then(over, over);
      return mine;
    };
    return inTurn as Git[Name];
  }

  return {
    ...git,
    fetchBranch: ordered("fetchBranch"),
    adoptBranches: async (request) => {
      await Promise.allSettled(request.branches.flatMap((branch) => underWay.get(branch) ?? []));
      return git.adoptBranches(request);
    },
    pushBranch: ordered("pushBranch"),
    deleteBranch: ordered("deleteBranch"),
  };
}
