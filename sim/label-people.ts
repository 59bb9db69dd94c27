// Who removes labels from issues in the simulated world: at once, soon, or later. A blocked issue
// gets another chance, and an operation under way is taken for an abandoned one.
import { LABELS } from "../src/core/issue.ts";
import type { SimProject, World } from "./world.ts";

const ROUND_MS = 5 * 60_000;
const HOURLY = ROUND_MS / 3_600_000;
const QUICK_MS = 20_000;
const QUICK = 0.5;
const AT_ONCE = 0.1;

export function startLabelPeople(world: World): void {
  new LabelPeople(world).begin();
}

class LabelPeople {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  begin(): void {
    const { projects, listeners } = this.#world;
    for (const project of projects.values()) {
      project.forge.onBlocked = (number) => this.#atOnce(project, number);
    }
    listeners.push((fact) => {
      if (fact.kind !== "forge-made" || fact.what !== "comment") return;
      const number = Number(fact.mark.split(" ")[0]);
      this.#soon(this.#world.project(fact.project), number);
    });
    this.#again();
  }

  #again(): void {
    const { clock, prng, projects } = this.#world;
    clock.after(1 + prng.labels.int(2 * ROUND_MS), () => {
      for (const project of projects.values()) this.#round(project);
      this.#again();
    });
  }

  #round({ name, forge }: SimProject): void {
    const { faults, prng } = this.#world;
    if (!faults.on) return;
    for (const { number, state, labels } of forge.issueByNumber.values()) {
      if (state !== "open" || !prng.labels.chance(HOURLY)) continue;
      const isUnderWay = labels.includes(LABELS.action) && labels.includes(LABELS.inProgress);
      if (labels.includes(LABELS.blocked)) {
        this.#takeOff(`a person unblocks #${number} of ${name}`, { forge, number }, LABELS.blocked);
      } else if (isUnderWay) {
        const what = `a person frees the operation #${number} of ${name}`;
        this.#takeOff(what, { forge, number }, LABELS.inProgress);
      }
    }
  }

  /** Half of the blocked issues are unblocked soon, while their runs are still cleared away. */
  #soon({ name, forge }: SimProject, number: number): void {
    const { clock, prng, faults } = this.#world;
    if (!faults.on || !prng.labels.chance(QUICK)) return;
    clock.after(prng.labels.int(QUICK_MS), () => {
      if (forge.issueByNumber.get(number)?.state !== "open") return;
      const what = `a person unblocks #${number} of ${name} at once`;
      this.#takeOff(what, { forge, number }, LABELS.blocked);
    });
  }

  /** A bot removes the label before Pawl has looked. */
  #atOnce({ name, forge }: SimProject, number: number): void {
    const { faults, prng } = this.#world;
    if (!faults.on || !prng.labels.chance(AT_ONCE)) return;
    this.#takeOff(`a bot unblocks #${number} of ${name}`, { forge, number }, LABELS.blocked);
  }

  #takeOff(
    what: string,
    { forge, number }: { forge: SimProject["forge"]; number: number },
    label: string,
  ): void {
    this.#world.tell({ kind: "person-did", what });
    forge.editIssue(number, { removeLabels: [label] });
  }
}
