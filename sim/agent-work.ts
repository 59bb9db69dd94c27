// What an agent does to its workspace: files first, a commit later, so that a death between the two
// leaves work that only a checkpoint saves.
import { commitId } from "../src/core/ids.ts";
import type { Agent } from "./agents.ts";
import { BUG, keyOf } from "./truth.ts";
import { workspaceChanged, type SimProject, type Workspace } from "./world.ts";

const KEYS = 40;
const SHARED_FILES = 3;

type Place = { project: SimProject; workspace: Workspace };

/** Undefined where the workspace was deleted under a living agent. */
function placeOf({ world, process }: Agent): Place | undefined {
  // What the dead write looks like work that Pawl did not save; their leftovers may, and are ended.
  if (!process.alive && !process.leftover) throw new Error(`${process.identity} works though gone`);
  const project = world.project(process.project);
  const workspace = project.workspaces.get(process.workspace);
  return workspace?.complete === true ? { project, workspace } : undefined;
}

const ownFile = (agent: Agent): string => `work-${agent.process.identity}.txt`;

/** Committed, up to date enough, and without a problem of its own. */
export function nothingLeft(agent: Agent): boolean {
  const place = placeOf(agent);
  if (place === undefined) return true;
  const committed = place.project.repository.files(place.workspace.head);
  const own = committed.get(ownFile(agent));
  return own !== undefined && !own.includes(BUG);
}

export function changeFor(agent: Agent): { file: string; text: string } {
  const { faults, prng } = agent.world;
  const place = placeOf(agent);
  if (faults.strikes("overlap")) {
    const file = `shared-${prng.agents.int(SHARED_FILES)}.txt`;
    return { file, text: `${agent.process.identity} ${agent.world.stamp()}` };
  }
  const taken = new Set(
    [...(place?.project.repository.files(place.project.target).values() ?? [])].map(keyOf),
  );
  const free = Array.from({ length: KEYS }, (_, key) => String(key)).filter(
    (key) => !taken.has(key),
  );
  const key = free.length === 0 ? "" : ` key=${prng.agents.pick(free)}`;
  const bug = faults.strikes("bug") || isHopeless(agent) ? ` ${BUG}` : "";
  return { file: ownFile(agent), text: `${agent.world.stamp()}${key}${bug}` };
}

/** Drawn with the first work of a run, for all of it. */
function isHopeless({ world, process }: Agent): boolean {
  const run = `${process.project}/${process.run} work`;
  const known = world.doomed.get(run) ?? world.faults.strikes("agentHopeless");
  world.doomed.set(run, known);
  return known && world.faults.on;
}

/** Watchers of the workspace are told, unless the event gets lost. */
function filesChanged({ world, process }: Agent): void {
  const missed = world.faults.strikes("watchMissed");
  world.tell({ kind: "files-written", process, missed });
  if (!missed) workspaceChanged(world.project(process.project), process.workspace);
}

/** Written, not committed. */
export function startWork(agent: Agent, change: { file: string; text: string }): void {
  const place = placeOf(agent);
  if (place === undefined) return;
  const files = new Map(place.workspace.files).set(change.file, change.text);
  // Its own work is never left with a known bug: the next try writes it again.
  const own = files.get(ownFile(agent));
  if (change.file !== ownFile(agent) && (own === undefined || own.includes(BUG))) {
    files.set(ownFile(agent), agent.world.stamp());
  }
  place.workspace.files = files;
  filesChanged(agent);
}

export function commitWork(agent: Agent): void {
  const place = placeOf(agent);
  if (place === undefined) return;
  const { project, workspace } = place;
  const { repository } = project;
  const tree = repository.tree(workspace.files);
  if (tree === repository.treeOf(workspace.head)) return;
  const message = `work of ${agent.process.identity}`;
  workspace.head = repository.commit({ tree, parents: [workspace.head], message });
  filesChanged(agent);
}

/** Merges what another writer pushed; where both changed something, ours stays. */
export function mergeTheirs(agent: Agent, theirs: string | undefined): void {
  const place = placeOf(agent);
  if (place === undefined || theirs === undefined) return;
  const { project, workspace } = place;
  const { repository } = project;
  const other = commitId(theirs);
  if (repository.isAncestor(other, workspace.head)) return;
  const base = repository.files(repository.mergeBase(other, workspace.head));
  const files = new Map(workspace.files);
  for (const [file, text] of repository.files(other)) {
    if (base.get(file) !== text && files.get(file) === base.get(file)) files.set(file, text);
  }
  workspace.files = files;
  const tree = repository.tree(files);
  const message = `merged by ${agent.process.identity}`;
  workspace.head = repository.commit({ tree, parents: [workspace.head, other], message });
  filesChanged(agent);
}

/** Onto the target's tip: what both changed is taken from the branch's side, by hand. */
export function rebase(agent: Agent): void {
  const place = placeOf(agent);
  if (place === undefined) return;
  const { project, workspace } = place;
  const { repository, target } = project;
  if (repository.isAncestor(target, workspace.head)) return;
  const base = repository.files(repository.mergeBase(target, workspace.head));
  const files = new Map(repository.files(target));
  for (const [file, text] of workspace.files) if (base.get(file) !== text) files.set(file, text);
  workspace.files = files;
  if (repository.isAncestor(workspace.head, target)) {
    workspace.head = target;
    return;
  }
  workspace.head = repository.commit({
    tree: repository.tree(files),
    parents: [target],
    message: `rebased work of ${agent.process.identity}`,
  });
}
