// The phase paths in /tmp: those of living sessions lead to them, and no other leads into this
// factory. A path that is not Pawl's is left as it is and reported.
import { rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isOver, type Run } from "../../../core/run/run.ts";
import type { Check, Trouble } from "../check.ts";
import { linkOf, namesIn, statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const FOLDER = "/tmp";
const NAME = /^[a-z]+-session-.+\.phase$/;

export const phaseLinksCheck: Check = {
  id: "phase-links",
  title: "phase paths in /tmp",
  run: async (inspection) => [...(await stale(inspection)), ...(await missing(inspection))],
};

async function stale(inspection: Inspection): Promise<Trouble[]> {
  const { paths } = inspection;
  const runs = (await inspection.runs()).filter((run) => !isOver(run));
  const living = new Set(runs.map(({ project, id }) => paths.run(project, id)));
  const names = (await namesIn(FOLDER)).filter((name) => NAME.test(name));
  const found = await Promise.all(
    names.map(async (name): Promise<Trouble[]> => {
      const link = join(FOLDER, name);
      const target = await targetOf(link);
      if (target?.startsWith(`${paths.home}/`) !== true) return [];
      if (living.has(dirname(dirname(target)))) return [];
      const fix = { plan: `remove the link ${link}`, apply: () => rm(link, { force: true }) };
      return [{ key: link, what: `${link} points to ${target}, whose run has ended`, fix }];
    }),
  );
  return found.flat();
}

/** Only links of our own user. */
async function targetOf(link: string): Promise<string | undefined> {
  const found = await statOf(link);
  if (found?.isSymbolicLink() !== true || found.uid !== process.getuid?.()) return undefined;
  return linkOf(link);
}

async function missing(inspection: Inspection): Promise<Trouble[]> {
  const living = (await inspection.runs()).filter(({ session }) => session?.status === "live");
  return (await Promise.all(living.map((run) => pathOf(inspection, run)))).flat();
}

async function pathOf({ paths }: Inspection, run: Run): Promise<Trouble[]> {
  const link = paths.phaseLink(run);
  const file = join(paths.session(run.project, run.id, run.epoch), "phase");
  const target = await targetOf(link);
  if (target === file) return [];
  const key = `of ${run.project}/${run.id}`;
  if ((await statOf(link)) !== undefined) {
    const what = `${link} is not Pawl's: ${run.identity} must use $PAWL_PHASE_FILE`;
    return [{ key, what, hint: `remove ${link} if it is not needed` }];
  }
  const fix = { plan: `link ${link} to ${file}`, apply: () => symlink(file, link) };
  return [{ key, what: `${link} of the running ${run.identity} is missing`, fix }];
}
