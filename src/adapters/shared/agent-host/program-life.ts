// Until when the program of a driver lives, for the driver of a server: it is over when the server has
// ended, or when something fails that no caller waits for.
import { ProgramEnded, type Driver } from "./driver.ts";

type Exited = Awaited<Driver["exited"]>;

export class ProgramLife {
  readonly exited: Promise<Exited>;
  readonly #title: string;
  readonly #onOver: () => void;
  readonly #exit = Promise.withResolvers<Exited>();

  constructor(title: string, onOver: () => void) {
    this.#title = title;
    this.#onOver = onOver;
    this.exited = this.#exit.promise;
  }

  over(exited: Exited): void {
    this.#onOver();
    this.#exit.resolve(exited);
  }

  /** What no caller waits for; a failure of it ends this life. */
  watch<T>(promise: Promise<T>, then: (value: T) => unknown = () => undefined): void {
    promise
      .then(then)
      .catch((error: unknown) => this.over({ code: undefined, reason: String(error) }));
  }

  /** Rejects where the program ends before. */
  racing<T>(work: Promise<T>): Promise<T> {
    const ended = this.exited.then(({ reason }): never => {
      throw new ProgramEnded(`${this.#title} has ended (${reason})`);
    });
    return Promise.race([work, ended]);
  }
}
