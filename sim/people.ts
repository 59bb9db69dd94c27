// The people of the simulated world: operators, reviewers, and other developers who push to the target.
// They act through what they really have: the engine's loop (as the CLI does), the forge, and upstream.
import {
  mailAggregate,
  projectAggregate,
  projectOf,
  queueAggregate,
  runAggregate,
  type AggregateId,
  type ProjectName,
} from "../src/core/ids.ts";
import type { Event } from "../src/core/event.ts";
import { approveHeld } from "./approve-held.ts";
import { fileIssue } from "./file-issue.ts";
import { HOLDING } from "./hold.ts";
import { LABELS } from "../src/core/issue.ts";
import { groundFailure } from "../src/core/project/ground.ts";
import { isActive, isOver, askedOn, issueOf, type Run } from "../src/core/run/run.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import type { Engine } from "../src/daemon/engine/engine.ts";
import { FORGE_OWNER, STRANGER } from "./config.ts";
import type { Journaled } from "./fact.ts";
import type { FaultRates } from "./fault-rates.ts";
import { isServerAlone } from "./options.ts";
import { BUG, problemOf } from "./truth.ts";
import type { SimProject, World } from "./world.ts";

const MINUTE_MS = 60_000;
/** How often people look at what there is to do. */
const ROUND_MS = 5 * MINUTE_MS;
/** Some answer at once. */
const QUICK_MS = 20_000;
const QUICK = 0.1;
const ROUNDS_PER_HOUR = 12;
const ISSUES_MAX = 300;

export function startPeople(world: World, engine: () => Engine | undefined): void {
  new People(world, engine).begin();
}

class People {
  readonly #world: World;
  readonly #engine: () => Engine | undefined;
  #filed = 0;

  constructor(world: World, engine: () => Engine | undefined) {
    this.#world = world;
    this.#engine = engine;
  }

  begin(): void {
    for (const project of this.#world.projects.values()) {
      for (let index = 0; index < this.#world.options.issues; index += 1) this.#file(project);
    }
    this.#again();
    this.#world.listeners.push((fact) => {
      if (!this.#world.faults.on) return;
      if (fact.kind === "set-up-tried" && !fact.ok)
        this.#fileSoon(this.#world.project(fact.project));
      if (fact.kind !== "journaled") return;
      for (const { aggregate, effect } of fact.journaled.effects) {
        if (effect.kind === "land") this.#pushFirst(projectOf(aggregate));
      }
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "run") continue;
        this.#answerSoon(state);
        this.#stopSoon(state);
        if (isOfEnd(fact.journaled)) this.#editSoon(state);
      }
    });
  }

  /** Another writer is quicker, when everything is tested and only has to land. */
  #pushFirst(name: ProjectName): void {
    const rate = this.#world.faults.rate("otherPush");
    if (rate === 0 || !this.#world.prng.others.chance(rate / 4)) return;
    this.#pushNow(this.#world.project(name));
  }

  /** Where set-up has just failed, new work arrives all the same. */
  #fileSoon(project: SimProject): void {
    const { clock, prng } = this.#world;
    if (!prng.people.chance(0.8)) return;
    clock.after(prng.people.int(QUICK_MS / 4), () => this.#file(project));
  }

  /** New escalations, one in ten: answered while the effects they cancelled still end. */
  #answerSoon(run: Run): void {
    const { clock, prng } = this.#world;
    if (run.stage.kind !== "escalated" || run.stage.escalation.since !== clock.now()) return;
    if (!prng.people.chance(QUICK)) return;
    clock.after(prng.people.int(QUICK_MS), () => {
      const event = {
        kind: "escalation-answered",
        at: clock.now(),
        by: "ann",
        text: "red",
      } as const;
      this.#do(run, event).catch((error: unknown) => this.#given(error));
    });
  }

  /** A life that is only starting is stopped before its process was seen. */
  #stopSoon(run: Run): void {
    const { clock, prng, faults } = this.#world;
    const { session } = run;
    if (session?.status !== "spawning" || session.startedAt !== clock.now()) return;
    if (!prng.people.chance(faults.rate("stop") / 2)) return;
    clock.after(prng.people.int(5000), () => {
      const event = { kind: "run-stopped", at: clock.now(), by: "ann" } as const;
      this.#do(run, event).catch((error: unknown) => this.#given(error));
    });
  }

  /** An agent has just exited: a person looks at its work before it is cleared away. */
  #editSoon(run: Run): void {
    const { prng, faults } = this.#world;
    if (prng.people.chance(faults.rate("handEdit") / 4)) this.#edit(run);
  }

  /** What a person does once nothing goes wrong any more: nothing is kept waiting on purpose. */
  async finish(): Promise<void> {
    for (const process of this.#world.processes.values()) process.attached = false;
    for (const run of await this.#runs()) {
      if (run.held !== undefined)
        await this.#do(run, { kind: "run-released", at: this.#now(), by: "ann" });
      if (run.stopped !== undefined)
        await this.#do(run, { kind: "run-retried", at: this.#now(), by: "ann" });
    }
    for (const project of this.#world.projects.values()) await this.#checkAgain(project);
  }

  /**
   * A flaky gate failed on a good target: agents wait until an operator has it run again. Where that
   * is a CI server's, Pawl notices by itself; so it does where a gate could not run.
   */
  async #checkAgain({ name, repository, target, ciServer }: SimProject): Promise<void> {
    const { store } = this.#world;
    const to = projectAggregate(name);
    const project = (await store.load(to))?.state;
    const failure = project?.kind === "project" ? groundFailure(project)?.failure : undefined;
    if (failure === undefined) return;
    const queue = (await store.load(queueAggregate(name)))?.state;
    const isGivenUp = queue?.kind === "queue" && queue.proofGivenUp !== undefined;
    if (failure.kind === "broken" && !isGivenUp) return;
    if (problemOf(repository.files(target)) !== undefined) return;
    this.#did(`an operator has the gate of ${name} run again`);
    if (isServerAlone(this.#world.options)) return ciServer?.restart(target);
    const event = { kind: "target-answered", at: this.#now(), by: "ann", answer: "check" } as const;
    await this.#submit(to, event);
  }

  #again(): void {
    const waitMs = 1 + this.#world.prng.people.int(2 * ROUND_MS);
    this.#world.clock.after(waitMs, () => {
      this.#round()
        .catch((error: unknown) => this.#given(error))
        .finally(() => this.#again());
    });
  }

  /** The journal may be full, or the daemon gone: a person tries again later. */
  #given(error: unknown): void {
    if (error instanceof OperationError) return;
    this.#world.fail("simulator", `people broke: ${String(error)}`);
  }

  async #round(): Promise<void> {
    const world = this.#world;
    if (!world.faults.on) await this.finish();
    const isAlone = world.options.ciServer === "alone";
    for (const project of world.projects.values()) {
      this.#push(project);
      if (this.#strikes("branchPush")) this.#pushToBranch(project);
      if (this.#hourly(world.faults.on ? world.options.newIssues : 0)) this.#file(project);
      await this.#resume(project);
      await approveHeld(this.#world, project, (to, event) => this.#submit(to, event));
      if (isAlone && this.#hourly(1)) await this.#checkAgain(project);
      if (this.#strikes("mail")) await this.#write(project);
      this.#review(project);
    }
    if (this.#strikes("clockJump")) this.#jump();
    for (const run of await this.#runs()) await this.#meddle(run);
  }

  #jump(): void {
    const gapMs = this.#world.prng.people.int(8 * 60 * MINUTE_MS) - 5 * MINUTE_MS;
    this.#world.clock.jump(gapMs);
    this.#did(`the clock jumps by ${gapMs} ms`);
  }

  async #meddle(run: Run): Promise<void> {
    const at = this.#now();
    const answers = this.#world.faults.on || this.#world.options.answers;
    if (run.stage.kind === "escalated" && answers && this.#hourly(2)) {
      if (this.#answersThere(run)) return undefined;
      return this.#do(run, { kind: "escalation-answered", at, by: "ann", text: "blue" });
    }
    if (!isActive(run)) return undefined;
    if (run.held !== undefined && this.#hourly(1))
      return this.#do(run, { kind: "run-released", at, by: "ann" });
    if (run.stopped !== undefined && this.#hourly(1))
      return this.#do(run, { kind: "run-retried", at, by: "ann" });
    if (this.#strikes("stop")) return this.#do(run, { kind: "run-stopped", at, by: "ann" });
    if (this.#strikes("hold"))
      for (const eventAt of HOLDING) await this.#do(run, eventAt(this.#now()));
    if (this.#strikes("closeIssue")) this.#close(run);
    if (this.#strikes("attach")) this.#attach(run);
    if (this.#strikes("handEdit")) this.#edit(run);
    if (this.#strikes("workspaceLost")) this.#lose(run);
    return undefined;
  }

  /** On the forge, where Pawl asked there; a stranger is quicker now and then. */
  #answersThere(run: Run): boolean {
    const issue = askedOn(run);
    const isAsked = run.stage.kind === "escalated" && run.stage.escalation.posted !== undefined;
    if (!isAsked || issue === undefined || this.#world.prng.people.chance(0.5)) return false;
    const { forge } = this.#world.project(run.project);
    const say = (author: string, body: string): void => {
      this.#did(`${author} says ${body} on #${issue} of ${run.project}`);
      forge.say({ issue, author, body });
    };
    if (this.#world.prng.people.chance(0.5)) say(STRANGER, "green");
    say(FORGE_OWNER, "blue");
    return true;
  }

  #close(run: Run): void {
    const { forge } = this.#world.project(run.project);
    const number = issueOf(run);
    if (number === undefined || forge.issueByNumber.get(number)?.state !== "open") return;
    if (this.#world.prng.people.chance(0.5)) return this.#takeBack(run, number);
    this.#did(`a person closes #${number} of ${run.project}`);
    forge.editIssue(number, { state: "closed" });
  }

  /** By a label: either it is to be tried again, or not now. */
  #takeBack(run: Run, number: number): void {
    const { forge } = this.#world.project(run.project);
    if (!forge.issueByNumber.get(number)?.labels.includes(LABELS.inProgress)) return;
    this.#did(`a person relabels #${number} of ${run.project}`);
    if (this.#world.prng.people.chance(0.5)) {
      forge.editIssue(number, { addLabels: [LABELS.blocked] });
    } else {
      forge.editIssue(number, {
        removeLabels: [LABELS.inProgress],
        addLabels: [LABELS.backlog],
      });
    }
  }

  #attach(run: Run): void {
    const pid = run.session?.process?.pid;
    const process = pid === undefined ? undefined : this.#world.processes.get(pid);
    if (process === undefined) return;
    process.attached = !process.attached;
    this.#did(`${process.attached ? "attaches to" : "leaves"} ${run.identity} of ${run.project}`);
  }

  /** A person looks into a workspace without a working agent, and changes something. */
  #edit(run: Run): void {
    const project = this.#world.project(run.project);
    const path = this.#world.paths.workspace(run.project, run.identity);
    const workspace = project.workspaces.get(path);
    if (workspace?.complete !== true || run.session?.status !== "ended") return;
    workspace.files = new Map(workspace.files).set("notes.txt", this.#world.stamp());
    workspace.handEdited = true;
    this.#did(`a person edits the workspace of ${run.identity} of ${run.project}`);
  }

  /** By hand, by a cleaner, by the agent itself: what was not saved yet is gone. */
  #lose({ project: name, identity, session }: Run): void {
    // Between the look for the workspace and the first step of a life no daemon could rebuild it.
    if (session?.status === "spawning" || session?.status === "ending") return;
    const project = this.#world.project(name);
    const path = this.#world.paths.workspace(name, identity);
    const workspace = project.workspaces.get(path);
    if (workspace?.complete !== true) return;
    project.workspaces.delete(path);
    this.#world.tell({ kind: "workspace-lost", project: name, identity, workspace });
  }

  #file(project: SimProject): void {
    if (project.forge.issueByNumber.size >= ISSUES_MAX) return;
    this.#filed += 1;
    fileIssue(this.#world, project, this.#filed);
  }

  #review(project: SimProject): void {
    const { faults, options } = this.#world;
    if (!options.reviewRequired || options.reviewRole === true) return;
    for (const pr of project.forge.prByNumber.values()) {
      if (pr.state !== "open" || faults.strikes("slowReview")) continue;
      const given = project.forge.reviewsOf.get(pr.number) ?? [];
      if (given.some((review) => review.head === pr.head)) continue;
      const verdict = faults.strikes("reviewChanges") ? "request-changes" : "approve";
      const { number, head } = pr;
      const key = `review ${head}`;
      this.#did(`a reviewer says ${verdict} to #${number} of ${project.name}`);
      project.forge.review({ pr: number, head, verdict, body: "because", author: "bob", key });
    }
  }

  #push(project: SimProject): void {
    const { repository, target } = project;
    const red = problemOf(repository.files(target)) !== undefined;
    const fixes = red && (!this.#world.faults.on || this.#hourly(2));
    if (this.#strikes("otherPush") || fixes) this.#pushNow(project);
  }

  #pushNow(project: SimProject): void {
    const { repository, target } = project;
    const { prng, faults } = this.#world;
    const red = problemOf(repository.files(target)) !== undefined;
    const files = new Map(repository.files(target));
    if (red) for (const file of files.keys()) files.set(file, "fixed");
    const text = faults.strikes("otherRed") ? BUG : this.#world.stamp();
    files.set(prng.others.chance(0.3) ? "shared-0.txt" : "others.txt", text);
    const tree = repository.tree(files);
    const to = repository.commit({ tree, parents: [target], message: "by another writer" });
    this.#world.moveTarget(project, to, "others");
  }

  /** A person helps on a branch of Pawl's, without asking. */
  #pushToBranch(project: SimProject): void {
    const { repository, upstreamBranches } = project;
    const branches = [...upstreamBranches].filter(([name]) => !name.startsWith("pawl/queue/"));
    if (branches.length === 0) return;
    const [branch, head] = this.#world.prng.others.pick(branches);
    const files = new Map(repository.files(head)).set("helped.txt", this.#world.stamp());
    const tree = repository.tree(files);
    const to = repository.commit({ tree, parents: [head], message: "by a helpful person" });
    this.#did(`a person pushes ${to} to ${branch} of ${project.name}`);
    this.#world.moveUpstream(project, { branch, to }, "others");
  }

  async #resume(project: SimProject): Promise<void> {
    const to = queueAggregate(project.name);
    const queue = (await this.#world.store.load(to))?.state;
    if (queue?.kind !== "queue" || (queue.paused ?? queue.stop) === undefined) return;
    if (problemOf(project.repository.files(project.target)) !== undefined) return;
    if (!this.#hourly(2)) return;
    this.#did(`an operator resumes the queue of ${project.name}`);
    await this.#submit(to, { kind: "queue-resumed", at: this.#now(), by: "ann" });
  }

  async #write({ name }: SimProject): Promise<void> {
    const to = this.#world.prng.people.pick(["dev", "dev-1", "dev-3", "dev-999", "deacon"]);
    const letter = {
      from: "operator",
      by: "ann",
      to,
      subject: this.#world.prng.people.pick(["Hello", "HELP", "TRIGGER: x"]),
      body: "text",
      priority: "normal",
    } as const;
    this.#did(`ann writes to ${to} of ${name}`);
    const event = { kind: "mail-sent", at: this.#now(), project: name, letter } as const;
    await this.#submit(mailAggregate(name), event);
  }

  async #runs(): Promise<Run[]> {
    const all = await this.#world.store.aggregates({ kind: "run" });
    return all.flatMap(({ state }) => (state.kind === "run" && !isOver(state) ? [state] : []));
  }

  async #do(run: Run, event: Event): Promise<void> {
    this.#did(`an operator: ${event.kind} of ${run.project}/${run.id}`);
    await this.#submit(runAggregate(run.project, run.id), event);
  }

  async #submit(to: AggregateId, event: Event): Promise<void> {
    const engine = this.#engine();
    if (engine === undefined) return;
    // A daemon that dies meanwhile never answers, and a person does not wait for it.
    await Promise.race([engine.loop.submit({ to, event }), this.#world.clock.sleep(MINUTE_MS)]);
  }

  #did(what: string): void {
    this.#world.tell({ kind: "person-did", what });
  }

  #now(): number {
    return this.#world.clock.now();
  }

  #strikes(name: keyof FaultRates): boolean {
    return this.#world.faults.on && this.#hourly(this.#world.faults.rate(name));
  }

  #hourly(rate: number): boolean {
    return this.#world.prng.people.chance(rate / ROUNDS_PER_HOUR);
  }
}

const isOfEnd = ({ events }: Journaled): boolean =>
  events.some(({ event }) => event.kind === "session-ended");
