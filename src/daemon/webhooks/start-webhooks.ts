// Listens for the forges of all projects that ask for it in pawl.toml, and follows their
// configuration. Projects that name the same address share one listener, each at its own path.
import type { ProjectName } from "../../core/ids.ts";
import { projectName } from "../../core/ids.ts";
import type { Factory } from "../host/factory.ts";
import type { Log } from "../host/log.ts";
import { createSecrets } from "../host/secrets.ts";
import type { Hint } from "./delivery.ts";
import { startListener, type Listener } from "./listener.ts";

const SECRET_NAME = "FORGE_WEBHOOK_SECRET";
const COLLECTION = "webhooks";
/** How often the last delivery of a forge is recorded. */
const NOTE_EVERY_MS = 300_000;

type Wanted = { project: ProjectName; address: string; host: string; port: number };

export async function startWebhooks(
  factory: Factory,
  { log, scope }: { log: Log; scope: (project: ProjectName) => boolean },
): Promise<{ close(): Promise<void> }> {
  const webhooks = new Webhooks(factory, log, scope);
  await webhooks.sync();
  const stop = factory.engine.onCommitted((committed) => {
    if (committed.changed.some(({ state }) => state.kind === "project")) webhooks.syncSoon();
  });
  return {
    close: async () => {
      stop();
      await webhooks.close();
    },
  };
}

class Webhooks {
  readonly #factory: Factory;
  readonly #log: Log;
  readonly #scope: (project: ProjectName) => boolean;
  readonly #listeners = new Map<string, Listener>();
  readonly #noted = new Map<ProjectName, number>();
  #known = "";
  #work: Promise<void> = Promise.resolve();

  constructor(factory: Factory, log: Log, scope: (project: ProjectName) => boolean) {
    this.#factory = factory;
    this.#log = log;
    this.#scope = scope;
  }

  /** One at a time; a failure is in the log and in the status, and ends nothing else. */
  syncSoon(): void {
    this.#work = this.#work
      .then(() => this.sync())
      .catch((error: unknown) => this.#log.error({ error: String(error) }, "webhooks failed"));
  }

  async sync(): Promise<void> {
    const wanted = await this.#wanted();
    const key = JSON.stringify(wanted);
    if (key === this.#known) return;
    this.#known = key;
    await this.#closeAll();
    for (const one of wanted) await this.#listen(one);
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#closeAll();
  }

  async #wanted(): Promise<Wanted[]> {
    const stored = await this.#factory.store.aggregates({ kind: "project", isBrief: true });
    return stored.flatMap(({ state }) => {
      if (state.kind !== "project" || !this.#scope(state.name)) return [];
      const webhook = state.config?.forge?.webhook;
      if (webhook === undefined) return [];
      return [{ project: state.name, address: `${webhook.host}:${webhook.port}`, ...webhook }];
    });
  }

  async #listen(wanted: Wanted): Promise<void> {
    const { project, address } = wanted;
    const { webhooks } = this.#factory.engine.observe;
    try {
      // A `.env` that others can read is refused: that ends no more than this.
      const secret = await createSecrets(this.#factory.paths.home, process.env)(SECRET_NAME);
      if (secret === undefined || secret === "") {
        const why = `set ${SECRET_NAME} in the daemon's environment, or in .env in PAWL_HOME`;
        webhooks.cannotListen(
          project,
          `Pawl does not listen for webhooks without a secret: ${why}`,
        );
        return;
      }
      const listener = this.#listeners.get(address) ?? (await this.#open(wanted, secret));
      listener.projects.add(project);
      const noted = await this.#factory.store.records.get<number>(COLLECTION, project);
      webhooks.listens(project, noted?.value);
      this.#log.info({ project, address }, "listening for webhooks");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      webhooks.cannotListen(project, `Pawl cannot listen for webhooks at ${address}: ${why}`);
    }
  }

  async #open({ host, port, address }: Wanted, secret: string): Promise<Listener> {
    const delivered = (name: string, hint: Hint): void => this.#delivered(projectName(name), hint);
    const listener = await startListener({ host, port, secret, delivered });
    this.#listeners.set(address, listener);
    return listener;
  }

  #delivered(project: ProjectName, hint: Hint): void {
    const { engine, ports, store } = this.#factory;
    engine.observe.webhookDelivered(project, hint);
    const failed = (error: unknown): void =>
      this.#log.error({ error: String(error) }, "a webhook could not be processed");
    if (hint !== "issues") {
      ports.project(project).then(({ ciServer }) => ciServer?.stir(), failed);
    }
    const now = ports.clock.now();
    if (now - (this.#noted.get(project) ?? 0) < NOTE_EVERY_MS) return;
    this.#noted.set(project, now);
    store.transaction((tx) => tx.records.put(COLLECTION, project, now)).catch(failed);
  }

  async #closeAll(): Promise<void> {
    const { webhooks } = this.#factory.engine.observe;
    for (const listener of this.#listeners.values()) {
      for (const project of listener.projects) webhooks.forget(projectName(project));
      await listener.close();
    }
    this.#listeners.clear();
  }
}
