// Temporary files with Pawl's own names that are over an hour old: the process that made them is
// gone.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Trouble } from "../check.ts";
import { namesIn, statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const OLD_MS = 60 * 60_000;

export const leftoversCheck: Check = {
  id: "leftovers",
  title: "temporary files older than an hour",
  run: async (inspection) => {
    const places = await placesOf(inspection);
    const found = await Promise.all(places.map((place) => look(inspection, place)));
    return found.flat();
  },
};

/** What in this folder is temporary by its name. */
type Place = { folder: string; name: RegExp };

async function placesOf(inspection: Inspection): Promise<Place[]> {
  const { paths } = inspection;
  const projects = await inspection.projects();
  const past = await inspection.pastRuns();
  return [
    { folder: paths.home, name: /\.(?:partial|tmp)$/ },
    { folder: paths.backups, name: /\.partial(?:-\w+)?$/ },
    ...projects.flatMap(({ name }) => [
      { folder: join(paths.project(name), "workspaces"), name: /\.(?:new|removing)$/ },
      { folder: join(paths.hub(name), "pawl"), name: /^(?:quarantine|resolve)-/ },
      { folder: join(paths.state(name), "identities"), name: /\.tmp$/ },
      { folder: join(paths.state(name), "hooks"), name: /\.tmp$/ },
      { folder: paths.state(name), name: /\.tmp$/ },
    ]),
    // Half-written words of agents that can no longer finish them.
    ...past.map(({ project, id, epoch }) => ({
      folder: join(paths.session(project, id, epoch), "spool", "tmp"),
      name: /./,
    })),
  ];
}

async function look({ now }: Inspection, { folder, name }: Place): Promise<Trouble[]> {
  const names = (await namesIn(folder)).filter((one) => name.test(one));
  const found = await Promise.all(
    names.map(async (one): Promise<Trouble[]> => {
      const path = join(folder, one);
      const there = await statOf(path);
      if (there === undefined || now - there.mtimeMs < OLD_MS) return [];
      const apply = () => rm(path, { recursive: true, force: true });
      const fix = { plan: `remove ${path}`, apply };
      return [{ key: path, what: `${path} is temporary and over an hour old`, fix }];
    }),
  );
  return found.flat();
}
