// Who may not instruct: an operation that a stranger files is answered on its issue, blocked, and
// never carried out, by a formula or an agent; and a stranger's words reach an agent only as quoted
// text.
import { projectName, type ProjectName } from "../../src/core/ids.ts";
import { LABELS, type Issue } from "../../src/core/issue.ts";
import { FORGE_OWNER, STRANGER } from "../config.ts";
import type { Fact } from "../fact.ts";
import { WISH } from "../file-issue.ts";
import type { SimProject, World } from "../world.ts";
import type { Checker } from "./checker.ts";
import { isReady } from "./liveness.ts";

export const strangers = (world: World): Checker => new Strangers(world);

class Strangers implements Checker {
  readonly name = "strangers";
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    // On a tracker of one's own there are none.
    if (this.#world.options.operators !== true) return;
    if (fact.kind === "process-started") this.#started(fact);
    if (fact.kind === "command-started") this.#commanded(fact.folder);
  }

  atEnd(): void {
    if (this.#world.options.operators !== true) return;
    for (const project of this.#world.projects.values()) {
      for (const issue of project.forge.issueByNumber.values()) {
        if (isStrangers(issue) && isAction(issue)) this.#answered(project, issue);
      }
    }
  }

  /** A formula works in a folder that is named after the issue. */
  #commanded(folder: string): void {
    const [, project, number] = /\/([^/]+)\/formulas\/action-(\d+)\./.exec(folder) ?? [];
    if (project !== undefined) this.#carriedOut(projectName(project), Number(number));
  }

  #carriedOut(project: ProjectName, number: number): void {
    const issue = this.#issue(project, number);
    if (issue === undefined || !isStrangers(issue)) return;
    this.#fail(`#${number} of ${project} is carried out for ${issue.author}`);
  }

  #started({ project, identity, pid }: Extract<Fact, { kind: "process-started" }>): void {
    const action = /^action-(\d+)$/.exec(identity)?.[1];
    if (action !== undefined) return this.#carriedOut(project, Number(action));
    const number = /^dev-(\d+)$/.exec(identity)?.[1];
    const issue = this.#issue(project, Number(number));
    const prompt = this.#world.processes.get(pid)?.folder.prompt ?? "";
    if (issue === undefined || isStrangers(issue) === isQuoted(prompt)) return undefined;
    const how = isStrangers(issue) ? "as an instruction" : "as a stranger's";
    return this.#fail(`${identity} of ${project} is told the words of ${issue.author} ${how}`);
  }

  /**
   * Only Pawl touches it: it stays open, with the answer and the label, unless a role closes it.
   */
  #answered(project: SimProject, issue: Issue): void {
    const { number, state, labels } = issue;
    if (state === "closed" && this.#world.options.roles === true) return;
    if (project.unsettled.has(number) || !isReady(project, issue)) return;
    const said = project.forge.commentsOf.get(number) ?? [];
    const isTold = said.some(
      ({ author, body }) => author !== STRANGER && body.includes("could not be carried out"),
    );
    if (state === "open" && labels.includes(LABELS.blocked) && isTold) return;
    const how = `${state}, ${labels.join(", ")}, ${isTold ? "answered" : "not answered"}`;
    this.#fail(`#${number} of ${project.name} by ${issue.author} is ${how}`);
  }

  #issue(project: ProjectName, number: number): Issue | undefined {
    return this.#world.project(project).forge.issueByNumber.get(number);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}

/** Follow-ups of reviews are Pawl's own. */
const isStrangers = ({ author }: Issue): boolean =>
  ![FORGE_OWNER, "pawl", "pawl-review"].includes(author);

const isAction = ({ labels }: Issue): boolean => labels.includes(LABELS.action);

/** The wish stands between two fences. */
function isQuoted(prompt: string): boolean {
  const [before = ""] = prompt.split(WISH);
  return (before.match(/^`{3,}/gm)?.length ?? 0) % 2 === 1;
}
