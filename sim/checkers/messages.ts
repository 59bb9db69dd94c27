// Invariant (e): a message is acknowledged or visibly undelivered, and is shown at most once per
// epoch. An acknowledgement that an agent gave reaches the journal; an open message never vanishes.
import { isOpen, type Message } from "../../src/core/run/message.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const NOTICED_MS = 5 * 60_000;

export function messages(world: World): Checker {
  const name = "messages";
  const shown = new Set<string>();
  const taken = new Map<string, number>();
  const known = new Map<string, Message[]>();
  let daemonSince = 0;

  function journaled(run: Run): void {
    const id = `${run.project}/${run.id}`;
    for (const before of known.get(id) ?? []) {
      if (!isOpen(before) || run.messages.some((message) => message.id === before.id)) continue;
      world.fail(
        name,
        `${before.id} (${before.kind}) of ${id} vanished while it was ${before.status}`,
      );
    }
    if (known.get(id) !== run.messages) {
      for (const message of run.messages) check(id, message);
      known.set(id, run.messages);
    }
    acknowledgements(run);
  }

  /** Acknowledged means: the agent moved it, or it was part of a prompt. */
  function check(id: string, message: Message): void {
    if (message.status !== "acknowledged") return;
    const epochs = message.epoch === undefined ? [] : [message.epoch];
    const dirs = epochs.map((epoch) => dirOf(id, epoch));
    const proven = dirs.some(
      (dir) => taken.has(`${dir} ${message.id}`) || shown.has(`${dir} ${message.id}`),
    );
    if (!proven) world.fail(name, `${message.id} of ${id} counts as read, but nobody was shown it`);
  }

  function acknowledgements(run: Run): void {
    if (run.session?.status !== "live") return;
    const id = `${run.project}/${run.id}`;
    const dir = dirOf(id, run.session.epoch);
    const now = world.clock.monotonicMs();
    for (const message of run.messages) {
      if (message.status === "acknowledged") continue;
      const at = taken.get(`${dir} ${message.id}`);
      if (at === undefined || now - Math.max(at, daemonSince) < NOTICED_MS) continue;
      world.fail(name, `${message.id} of ${id} was acknowledged, but is still ${message.status}`);
    }
  }

  const dirOf = (id: string, epoch: number): string => {
    const [project, run] = id.split("/");
    return `/sim/projects/${project}/runs/${run}/${epoch}`;
  };

  return {
    name,
    hear(fact) {
      if (fact.kind === "message-shown") {
        const mark = `${fact.dir} ${fact.id}`;
        if (shown.has(mark))
          world.fail(name, `${fact.id} is shown twice in ${fact.dir} (${fact.how})`);
        shown.add(mark);
      } else if (fact.kind === "message-taken") taken.set(`${fact.dir} ${fact.id}`, fact.at);
      else if (fact.kind === "daemon-started" || fact.kind === "effect-refused") {
        daemonSince = world.clock.monotonicMs();
      } else if (fact.kind === "journaled") {
        for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
      }
    },
  };
}
