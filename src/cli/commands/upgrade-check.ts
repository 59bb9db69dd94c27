// `pawl upgrade-check`: which build runs, and whether the journal or the daemon is of another one. It
// reads files and asks the daemon; it never asks the network.
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { formatTsv } from "../../lib/table.ts";
import { printJson } from "../output/rows.ts";
import { paint } from "../output/text.ts";
import { inSentences } from "../output/wrap.ts";

const EXAMPLES = `
Examples:
  pawl upgrade-check
  pawl upgrade-check --json | jq .journal

It asks the daemon and reads files on this machine. It does not use the network, so it
cannot say whether a newer Pawl exists. Exits 0 if there is nothing to do, 8 if you should act,
1 if this Pawl is too old for its journal.`;

export const addUpgradeCheck: AddCommand = (program, { deps, finish }) => {
  program
    .command("upgrade-check")
    .description("show the running build, and whether the journal or daemon is older")
    .option("--json", "print JSON with all fields")
    .action((options) => check(deps(), { ...options, finish }))
    .addHelpText("after", EXAMPLES);
};

type Journal = { path: string; found: number | null; known: number | null };
type Daemon = { pid: number; since: string; version: string; build?: string };
type State = "none" | "current" | "older" | "newer";

type Facts = {
  program: { version: string; build: string };
  journal: { path: string; version: number | null; known: number | null; state: State };
  daemon: (Daemon & { same_build: boolean }) | null;
  /** What you should do, in this order. */
  next: string[];
};

async function check(
  deps: Deps,
  options: { json?: true | undefined; finish: Finish },
): Promise<void> {
  const facts = await lookAt(deps);
  if (options.json === true) printJson(deps, facts);
  else if (deps.isTty) inSentences(deps).stdout(forPeople(deps, facts));
  else deps.stdout(formatTsv([...partsOf(facts), ...facts.next.map((line) => ["next", line])]));
  options.finish(codeOf(facts));
}

async function lookAt(deps: Deps): Promise<Facts> {
  const { buildName } = await import("../build-name.ts");
  const { journalOf } = await import("../in-process.ts");
  const build = buildName(deps.version);
  const { path, found, known } = await journalOf(deps.env);
  const daemon = await daemonOf(deps, build);
  const journal = { path, version: found, known, state: stateOf({ path, found, known }) };
  return {
    program: { version: deps.version, build },
    journal,
    daemon,
    next: nextOf({ journal, daemon }),
  };
}

async function daemonOf(deps: Deps, build: string): Promise<Facts["daemon"]> {
  if (!(await deps.client.daemonRuns())) return null;
  const { daemon } = await deps.client.get<{ daemon: Daemon | null }>("/v1/ping");
  return daemon === null ? null : { ...daemon, same_build: daemon.build === build };
}

function stateOf({ found, known }: Journal): State {
  if (found === null || known === null) return "none";
  if (found === known) return "current";
  return found < known ? "older" : "newer";
}

function nextOf({ journal, daemon }: Pick<Facts, "journal" | "daemon">): string[] {
  if (journal.state === "newer") {
    return ["install the Pawl that wrote this journal, or a newer one"];
  }
  if (daemon !== null && !daemon.same_build) {
    return ["`pawl down && pawl up` starts the daemon with this build; agents keep running"];
  }
  if (journal.state === "older") {
    return ["`pawl up` upgrades the journal; it makes a copy of it first"];
  }
  return [];
}

function codeOf({ journal, next }: Facts): ExitCode {
  if (journal.state === "newer") return EXIT.failed;
  return next.length === 0 ? EXIT.ok : EXIT.pending;
}

const partsOf = ({ program, journal, daemon }: Facts): string[][] => [
  ["program", program.build],
  ["journal", journalText(journal)],
  ["daemon", daemonText(daemon)],
];

function journalText({ version, known, state, path }: Facts["journal"]): string {
  switch (state) {
    case "none":
      return `none yet (${path})`;
    case "current":
      return `version ${version} (current)`;
    case "older":
      return `version ${version}; this Pawl writes version ${known}, so an upgrade is pending`;
    case "newer":
      return `version ${version}, newer than this Pawl, which reads up to version ${known}`;
  }
}

function daemonText(daemon: Facts["daemon"]): string {
  if (daemon === null) return "none runs";
  if (daemon.same_build) return `the same build (pid ${daemon.pid})`;
  return `another build (pid ${daemon.pid}): ${daemon.build ?? daemon.version}`;
}

function forPeople(deps: Deps, facts: Facts): string {
  const lines = partsOf(facts).map(([part = "", text = ""]) => `${part.padEnd(9)}${text}\n`);
  const next =
    facts.next.length === 0
      ? `${paint(deps, "green", "nothing to do")}\n`
      : facts.next.map((line) => `${paint(deps, "yellow", "next")}     ${line}\n`).join("");
  return `${lines.join("")}${next}`;
}
