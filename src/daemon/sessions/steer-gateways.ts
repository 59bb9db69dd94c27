// Tells the gateways of living sessions what their runs may spend and reach, whenever that changes: a
// person raised a budget or allowed a host, or the day is spent. Written after the commit, and once
// more by every new daemon, so that a crash in between is made good.
import { createSerial } from "../../adapters/shared/serial.ts";
import type { Run } from "../../core/run/run.ts";
import { isLive } from "../../core/session/session.ts";
import { hasGateway, hostsOf, termsOf } from "../effects/open-gateway.ts";
import type { Ports } from "../engine/ports.ts";
import type { Paths } from "../host/paths.ts";

type Deps = { ports: Ports; paths: Paths; onError: (error: unknown) => void };

export class GatewaySteering {
  readonly #deps: Deps;
  readonly #inOrder = createSerial();
  /** What each gateway was last told. */
  readonly #told = new Map<string, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  sync(run: Run): void {
    if (!hasGateway(run)) return;
    const { session } = run;
    const { ports, paths, onError } = this.#deps;
    const folder = paths.gateway(run.project, run.id, run.epoch);
    if (!isLive(session)) {
      this.#told.delete(folder);
      return;
    }
    const steering = { folder, terms: termsOf(run), hosts: hostsOf(run) };
    const said = JSON.stringify(steering);
    if (this.#told.get(folder) === said) return;
    this.#told.set(folder, said);
    this.#inOrder(folder, () => ports.gateway.steer(steering)).catch((error: unknown) => {
      // Said again with the run's next change.
      this.#told.delete(folder);
      onError(error);
    });
  }
}
