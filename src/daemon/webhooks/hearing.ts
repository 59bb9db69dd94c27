// Whether webhooks of a project's forge work. They count as working for a week after a delivery. If
// a periodic look finds news that no delivery reported, one was missed, and the forge is polled
// often again until the next delivery.
import type { ProjectName } from "../../core/ids.ts";

const HEARD_MAX_MS = 7 * 24 * 3_600_000;

export type Source =
  | { kind: "webhook"; heardAt: number }
  | { kind: "polling"; heardAt: number | undefined; trouble: string | undefined };

type Ear = { listens: boolean; heardAt?: number; missedAt?: number; trouble?: string };

export class Hearing {
  readonly #ears = new Map<ProjectName, Ear>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `heardAt`: from an earlier daemon. */
  listens(project: ProjectName, heardAt: number | undefined): void {
    const ear = { listens: true, ...(heardAt === undefined ? {} : { heardAt }) };
    this.#ears.set(project, ear);
  }

  cannotListen(project: ProjectName, trouble: string): void {
    this.#ears.set(project, { listens: false, trouble });
  }

  forget(project: ProjectName): void {
    this.#ears.delete(project);
  }

  heard(project: ProjectName): void {
    const ear = this.#ears.get(project);
    if (ear?.listens === true) this.#ears.set(project, { listens: true, heardAt: this.#now() });
  }

  missed(project: ProjectName): void {
    const ear = this.#ears.get(project);
    if (ear !== undefined) ear.missedAt = this.#now();
  }

  source(project: ProjectName): Source {
    const { listens = false, heardAt, missedAt, trouble } = this.#ears.get(project) ?? {};
    const isFresh = heardAt !== undefined && this.#now() - heardAt < HEARD_MAX_MS;
    if (listens && isFresh && missedAt === undefined) return { kind: "webhook", heardAt };
    const missed =
      "the last change was not told by the forge: look at the deliveries of its webhook";
    return {
      kind: "polling",
      heardAt,
      trouble: missedAt === undefined ? trouble : missed,
    };
  }
}
