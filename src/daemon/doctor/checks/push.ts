// Branches can be pushed where they would go: upstream is asked, and nothing is changed there.
import { join } from "node:path";
import type { Project } from "../../../core/project/project.ts";
import { describeError } from "../../../lib/operation-error.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

/** No run has this name. */
const BRANCH = "pawl/doctor-push-check";

export const pushCheck: Check = {
  id: "push",
  title: "permission to push branches",
  run: async (inspection) => {
    const pushed = (await inspection.projects()).filter(
      ({ config, upstream, observedAt }) =>
        config !== undefined && upstream.kind === "remote" && observedAt !== undefined,
    );
    return (await Promise.all(pushed.map((project) => look(inspection, project)))).flat();
  },
};

async function look({ ports, paths }: Inspection, { name, root }: Project): Promise<Trouble[]> {
  // A missing one is the finding of another check, and a look must not make it again.
  if ((await statOf(join(paths.hub(name), "HEAD"))) === undefined) return [];
  try {
    await (await ports.project(name)).git.tryPush({ branch: BRANCH });
    return [];
  } catch (error) {
    const { message } = describeError(error);
    const hint = `give the account that runs Pawl the right to push, then check it with \`git -C ${root} push --dry-run origin HEAD:refs/heads/${BRANCH}\``;
    return [{ key: name, what: `project ${name}: ${message}`, hint }];
  }
}
