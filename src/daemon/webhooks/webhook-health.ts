// Whether webhooks of a project's forge work. They count as working for a week after a delivery. If
// a periodic look finds news that no delivery reported, one was missed, and the forge is polled
// often again until the next delivery.
import type { ProjectName } from "../../core/ids.ts";

const DELIVERY_MAX_MS = 7 * 24 * 3_600_000;

export type Source =
  | { kind: "webhook"; deliveredAt: number }
  | { kind: "polling"; deliveredAt: number | undefined; trouble: string | undefined };

type Webhook = { listens: boolean; deliveredAt?: number; missedAt?: number; trouble?: string };

export class WebhookHealth {
  readonly #webhooks = new Map<ProjectName, Webhook>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `deliveredAt`: from an earlier daemon. */
  listens(project: ProjectName, deliveredAt: number | undefined): void {
    const webhook = { listens: true, ...(deliveredAt === undefined ? {} : { deliveredAt }) };
    this.#webhooks.set(project, webhook);
  }

  cannotListen(project: ProjectName, trouble: string): void {
    this.#webhooks.set(project, { listens: false, trouble });
  }

  forget(project: ProjectName): void {
    this.#webhooks.delete(project);
  }

  delivered(project: ProjectName): void {
    const webhook = this.#webhooks.get(project);
    if (webhook?.listens === true)
      this.#webhooks.set(project, { listens: true, deliveredAt: this.#now() });
  }

  missed(project: ProjectName): void {
    const webhook = this.#webhooks.get(project);
    if (webhook !== undefined) webhook.missedAt = this.#now();
  }

  source(project: ProjectName): Source {
    const { listens = false, deliveredAt, missedAt, trouble } = this.#webhooks.get(project) ?? {};
    const isFresh = deliveredAt !== undefined && this.#now() - deliveredAt < DELIVERY_MAX_MS;
    if (listens && isFresh && missedAt === undefined) return { kind: "webhook", deliveredAt };
    const missed =
      "the forge did not report the last change: look at the deliveries of its webhook";
    return {
      kind: "polling",
      deliveredAt,
      trouble: missedAt === undefined ? trouble : missed,
    };
  }
}
