// Invariant (a), as far as checkpoints exist: what a life wrote is saved before the next one of its
// identity starts, and that one finds it, also where the workspace was deleted meanwhile. A
// checkpoint that failed for good is a visible warning instead.
import type { ProjectName } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
import { savedContent } from "../fakes/git.ts";
import { contentOf, type SimProject, type Workspace, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export const savedWork = (world: World): Checker => new SavedWork(world);

class SavedWork implements Checker {
  readonly name = "saved-work";
  readonly #world: World;
  readonly #excused = new Set<string>();
  /** Those in which a life was: a new one is made where the last one was done with, or lost. */
  readonly #used = new WeakSet<Workspace>();
  /** Those whose work is done with, and that stay: what a life leaves there is work again. */
  readonly #over = new WeakSet<Workspace>();
  /** By identity: the branch whose workspace was deleted before its work was done with. */
  readonly #lost = new Map<string, string>();
  /** By identity: the branch of its present run. What a run before it left there is no work of its. */
  readonly #branches = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "journaled") this.#journaled(fact.journaled);
    // One in which no life was yet holds no work: it is made again as it was made first.
    if (fact.kind === "workspace-lost" && this.#holdsWork(fact.workspace)) {
      this.#lost.set(`${fact.project} ${fact.identity}`, fact.workspace.branch);
    }
    if (fact.kind === "workspace-made") this.#made(fact);
    if (fact.kind === "process-started") this.#started(fact);
  }

  #holdsWork(workspace: Workspace): boolean {
    return this.#used.has(workspace) && !this.#over.has(workspace);
  }

  #journaled({ events, states }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "effect-failed") continue;
      const { effect } = event.failed.obligation;
      if (effect.kind === "checkpoint")
        this.#excused.add(`${to.slice(4, to.indexOf("/"))} ${effect.identity}`);
    }
    for (const { state } of states) {
      if (state.kind !== "run") continue;
      const mark = `${state.project} ${state.identity}`;
      this.#branches.set(mark, state.branch);
      if (isDoneWith(state)) this.#doneWith(state);
    }
  }

  #doneWith({ project, identity }: Run): void {
    this.#lost.delete(`${project} ${identity}`);
    const path = this.#world.paths.workspace(project, identity);
    const workspace = this.#world.project(project).workspaces.get(path);
    if (workspace !== undefined) this.#over.add(workspace);
  }

  /** Under a living agent: it goes on writing there, so that it holds what was saved only now. */
  #made({ path, workspace }: Extract<Fact, { kind: "workspace-made" }>): void {
    const process = [...this.#world.living].find((one) => one.workspace === path);
    if (process === undefined || !this.#lost.has(`${process.project} ${process.identity}`)) return;
    this.#used.add(workspace);
    this.#asSaved(process, { workspace, does: `goes on in epoch ${process.epoch}` });
  }

  /** One that was made for the work of a workspace that is lost. */
  #asSaved(
    { project: name, identity }: { project: ProjectName; identity: string },
    { workspace, does }: { workspace: Workspace; does: string },
  ): void {
    const mark = `${name} ${identity}`;
    const lost = this.#lost.get(mark);
    this.#lost.delete(mark);
    if (lost === undefined || lost !== this.#branches.get(mark)) return;
    const project = this.#world.project(name);
    const wanted = rebuilt(project, { identity, branch: lost });
    const content = contentOf(project, workspace);
    if (wanted === undefined || wanted === content) return;
    this.#fail(`${mark} ${does} in ${content}, but ${wanted} was saved`);
  }

  #started(fact: Extract<Fact, { kind: "process-started" }>): void {
    const { project: name, identity, epoch } = fact;
    const mark = `${name} ${identity}`;
    const project = this.#world.project(name);
    const workspace = project.workspaces.get(this.#world.paths.workspace(name, identity));
    if (workspace === undefined) return this.#fail(`${mark} starts without a workspace`);
    const isNew = !this.#used.has(workspace);
    this.#used.add(workspace);
    this.#over.delete(workspace);
    if (isNew && !workspace.handEdited) {
      return this.#asSaved(fact, { workspace, does: `starts epoch ${epoch}` });
    }
    this.#lost.delete(mark);
    if (workspace.handEdited || this.#excused.delete(mark)) return undefined;
    const saved = project.checkpoints.get(identity);
    const content = contentOf(project, workspace);
    if (saved !== undefined && savedContent(project, saved) === content) return undefined;
    return this.#fail(`${mark} starts epoch ${epoch} before the work of the last one is saved`);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}

/** The work is not resumed: the next run of this identity, if there is one, starts over. */
const isDoneWith = ({ outcome, work }: Run): boolean =>
  outcome !== undefined &&
  (work.kind === "task" || outcome.kind === "landed" || outcome.kind === "refused");

/** The last checkpoint, or the hub's branch where that went on after it. */
function rebuilt(
  project: SimProject,
  { identity, branch }: { identity: string; branch: string },
): string | undefined {
  const { repository } = project;
  const saved = project.checkpoints.get(identity);
  if (saved === undefined || project.savedBranch.get(saved) !== branch) return undefined;
  const [head] = repository.parents(saved);
  const known = project.branches.get(branch);
  const wentOn = head !== undefined && known !== undefined && known !== head;
  return wentOn && repository.isAncestor(head, known)
    ? `${known} ${repository.treeOf(known)}`
    : savedContent(project, saved);
}
