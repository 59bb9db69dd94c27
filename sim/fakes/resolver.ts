// The program that resolves conflicts in a simulated project. It makes something else of the same
// conflict each time, as a real one may: only what is remembered is the same again.
import type { Commit } from "../../src/core/ids.ts";
import { hasMarks } from "../../src/core/merge-queue/resolver.ts";
import type { Life } from "../life.ts";
import type { Files, Merged } from "../repository.ts";
import type { SimProject } from "../world.ts";

type Context = { life: Life; project: SimProject };
type Merge =
  | (Extract<Merged, { kind: "clean" }> & { resolved?: string[] })
  | (Extract<Merged, { kind: "conflict" }> & { why?: string });

/** As the real one: each file that both sides have, until one of them cannot be resolved. */
export async function mergeOrResolve(
  context: Context,
  { ours, theirs, resolve }: { ours: Commit; theirs: Commit; resolve: string[] | undefined },
): Promise<Merge> {
  const { repository } = context.project;
  const merged = repository.merge(ours, theirs);
  if (merged.kind === "clean" || resolve === undefined) return merged;
  const base = repository.files(repository.mergeBase(ours, theirs));
  const sides = { ours: new Map(repository.files(ours)), theirs: repository.files(theirs) };
  for (const file of merged.files) {
    const text = await resolveOne(context, file, { base, ...sides });
    if (text === undefined) return { ...merged, why: `${file} was not resolved` };
    sides.ours.set(file, text);
  }
  // What was resolved is ours on both sides, so that only the rest is merged.
  const left = new Map(sides.theirs);
  for (const file of merged.files) left.set(file, sides.ours.get(file) ?? "");
  const whole = repository.mergeFiles(base, { ours: sides.ours, theirs: left });
  return whole.kind === "clean" ? { ...whole, resolved: merged.files } : whole;
}

async function resolveOne(
  { life, project }: Context,
  file: string,
  versions: { base: Files; ours: Files; theirs: Files },
): Promise<string | undefined> {
  const { faults } = life.world;
  const [before, mine, other] = [versions.base, versions.ours, versions.theirs].map((files) =>
    files.get(file),
  );
  if (mine === undefined || other === undefined) return undefined;
  const key = JSON.stringify([file, before, mine, other]);
  const known = project.resolved.get(key);
  if (known !== undefined) return known;
  if (faults.strikes("resolverFails")) return undefined;
  const made = faults.strikes("resolverMarks")
    ? `<<<<<<< ours\n${mine}\n=======\n${other}\n>>>>>>> theirs`
    : `${mine}\n${other}\n${life.world.stamp()}`;
  if (hasMarks(made, [mine, other])) return undefined;
  await life.pass("git.resolve.ran");
  project.resolved.set(key, made);
  await life.pass("git.resolve.kept");
  return made;
}
