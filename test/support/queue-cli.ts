// A merge queue in the hands of a person: a factory whose gate is a script that leaves a line behind
// at every run, branches of the user's own repository, and a bare upstream where a test wants one.
import { join } from "node:path";
import type { EntryView } from "../../src/api/queue.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "./pawl.ts";

/** Red with red.txt in it, and with left.txt and right.txt together. */
export const GATE = `echo ran >> "$HOME/gate-runs"
[ ! -e red.txt ] && ! { [ -e left.txt ] && [ -e right.txt ]; }
`;

export const makeQueue = (more = "", gate = GATE): Promise<Factory> =>
  makeFactory({
    config: `${SCRIPT_AGENT}[ci]\ncommand = "sh test.sh"\n${LIMITS}${more}`,
    files: { "test.sh": gate },
  });

/** The same with a bare upstream; the user's clone has it as origin. */
export async function makeQueueUpstream(more = "", gate = GATE) {
  const factory = await makeQueue(more, gate);
  const upstream = join(factory.root, "upstream.git");
  factory.git("clone", "-q", "--bare", factory.repo, upstream);
  factory.gitIn(upstream, "config", "core.logAllRefUpdates", "true");
  factory.git("remote", "add", "origin", upstream);
  factory.git("fetch", "-q", "origin");
  return {
    ...factory,
    upstream,
    inUpstream: (...args: string[]) => factory.gitIn(upstream, ...args),
  };
}

/** A branch of the user's own repository; the checkout is back on main afterwards. */
export function branch(factory: Factory, name: string, files: Record<string, string>): string {
  factory.git("checkout", "-q", "-b", name, "main");
  const head = factory.commit(files, `Work of ${name}`);
  factory.git("checkout", "-q", "main");
  return head;
}

export const list = async (factory: Factory, ...more: string[]): Promise<EntryView[]> =>
  JSON.parse(await factory.ok("merge-queue", "list", "--json", ...more)) as EntryView[];

/** Adds them, works until nothing can move, and tells what became of each. */
export async function landAll(factory: Factory, ...branches: string[]) {
  for (const name of branches) await factory.ok("merge-queue", "add", name);
  const result = await factory.pawl("merge-queue", "process", "--all");
  const entries = await list(factory, "--all");
  const status = Object.fromEntries(entries.map((entry) => [entry.branch, entry.status]));
  return { ...result, entries, status };
}

export const gateRuns = (factory: Factory): number =>
  factory.read("user", "gate-runs").split("\n").length - 1;
