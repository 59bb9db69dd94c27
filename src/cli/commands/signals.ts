// `pawl signals`: typed events between Pawl's parts, from the journal. `--json` prints one object
// per line, so that a follower can be read as it goes.
import type { SignalView } from "../../api/signals.ts";
import { formatTsv } from "../../lib/table.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { collect } from "../options.ts";
import { harmless, when } from "../output/text.ts";
import { printRows, type Column } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl signals --kind MERGE_COMPLETE --kind MERGE_CONFLICT
  pawl signals --follow --json | jq -r .kind

Kinds:
  AGENT_REGISTERED    a session of an agent, or the daemon, began
  AGENT_TERMINATED    it ended, with its verdict
  AGENT_CRASHED       it ended by itself before its work did; Pawl starts the next
  HOOK_UPDATED        what an agent works on, for a successor, has changed
  CONTEXT_WARNING     the context of an agent is getting full
  HANDOFF_REQUESTED   an agent was asked to save its work and to exit
  HANDOFF_COMPLETE    its successor has begun
  ORCHESTRATOR_STUCK  an agent made no progress, or did not exit in time
  MERGE_READY         a branch was handed to the merge queue
  MERGE_CONFLICT      the merge queue sent a branch back
  MERGE_COMPLETE      a branch has landed
  WITNESS_PING        an agent noticed that no daemon ran

AGENT_REGISTERED and HOOK_UPDATED are frequent; --kind shows what you look for.`;

type SignalOptions = {
  follow?: true | undefined;
  kind?: string[] | undefined;
  json?: true | undefined;
};

export const addSignals: AddCommand = (program, { deps }) => {
  program
    .command("signals")
    .description("show Pawl's internal events")
    .option("-f, --follow", "keep showing new entries")
    .option("--kind <kind>", "only this kind; may be repeated", collect)
    .option("--json", "as JSON, one object per line")
    .action((options) => showSignals(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function showSignals(deps: Deps, options: SignalOptions): Promise<void> {
  if (options.follow !== true) {
    await showPast(deps, options);
    return;
  }
  const follower = await deps.client.follow();
  try {
    let after = await showPast(deps, options);
    while (await follower.changed()) {
      const news = await signalsAfter(deps, after, options);
      after = news.at(-1)?.seq ?? after;
      if (news.length > 0) deps.stdout(lines(deps, news, options));
    }
  } finally {
    follower.close();
  }
}

/** The number of the last signal that was shown. */
async function showPast(deps: Deps, options: SignalOptions): Promise<number> {
  const past = await signalsAfter(deps, undefined, options);
  if (past.length === 0) deps.stderr("no signals yet\n");
  else if (!deps.isTty || options.json === true || options.follow === true) {
    deps.stdout(lines(deps, past, options));
  } else {
    // A table is aligned over all of its rows, which a follower does not have.
    printRows(deps, past, { columns: columns(deps), json: false, empty: "", whole: WHOLE });
  }
  return past.at(-1)?.seq ?? 0;
}

function signalsAfter(
  deps: Deps,
  after: number | undefined,
  { kind = [] }: SignalOptions,
): Promise<SignalView[]> {
  const query = new URLSearchParams({});
  for (const one of kind) query.append("kind", one);
  if (after !== undefined) query.set("after", String(after));
  return deps.client.get(`/v1/signals${query.size === 0 ? "" : `?${query.toString()}`}`);
}

function lines(deps: Deps, signals: SignalView[], options: SignalOptions): string {
  if (options.json === true) return signals.map((one) => `${JSON.stringify(one)}\n`).join("");
  const cells = (one: SignalView): string[] =>
    columns(deps).map(({ tty, pipe = tty }) => (deps.isTty ? tty : pipe)(one));
  if (!deps.isTty) return formatTsv(signals.map(cells));
  return signals.map((one) => `${cells(one).join("  ")}\n`).join("");
}

const columns = (deps: Deps): Column<SignalView>[] => [
  { title: "at", tty: ({ at }) => when(deps, at) },
  { title: "signal", tty: ({ kind }) => kind },
  { title: "project", tty: ({ project }) => project },
  { title: "identity", tty: ({ identity }) => identity ?? "" },
  {
    title: "detail",
    tty: ({ detail }) => harmless(shortDetail(detail)),
    pipe: ({ detail }) => harmless(Object.keys(detail).length === 0 ? "" : JSON.stringify(detail)),
    widthMin: 20,
  },
];

const WHOLE = { detail: "`pawl signals --json` shows all details" };

/** `verdict: completed, pr_number: 7`, without the session, which IDENTITY names. */
const shortDetail = (detail: SignalView["detail"]): string =>
  Object.entries(detail)
    .filter(([name, value]) => name !== "session_id" && value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
