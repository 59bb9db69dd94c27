// Forges answer, and news reaches people.
import type { ProjectName } from "../../../core/ids.ts";
import { describeError } from "../../../lib/operation-error.ts";
import { allWays } from "../../notify/records.ts";
import { channelView } from "../../views/channels.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

export const forgeCheck: Check = {
  id: "forge",
  title: "connection to the forge of each project",
  run: async (inspection) => {
    const configured = (await inspection.projects()).filter(({ config }) => config !== undefined);
    const found = await Promise.all(configured.map(({ name }) => ask(inspection, name)));
    return found.flat();
  },
};

/** Where its token is wrong or it cannot be reached, its own words say what to do. */
async function ask({ ports }: Inspection, project: ProjectName): Promise<Trouble[]> {
  try {
    await (await ports.project(project)).forge.issues({ state: "open" });
    return [];
  } catch (error) {
    const { message, hint } = describeError(error);
    const trouble = { key: project, what: `project ${project}: ${message}` };
    return [hint === undefined ? trouble : { ...trouble, hint }];
  }
}

export const channelsCheck: Check = {
  id: "channels",
  title: "notification channels",
  run: async ({ store }) => {
    const views = await Promise.all((await allWays(store)).map((way) => channelView(store, way)));
    return views.flatMap(({ project, name, trouble, given_up: lost }) =>
      trouble === null
        ? []
        : [
            {
              key: `${project} ${name}`,
              what: `channel ${name} of ${project} fails: ${trouble}; ${lost} notifications were not sent`,
              hint: "fix it, then run `pawl notify test`",
            },
          ],
    );
  },
};
