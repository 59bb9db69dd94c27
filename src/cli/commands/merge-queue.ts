// `pawl merge-queue list|status|pause|resume`.
import type { EntryView, QueueView } from "../../api/queue.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { count, harmless, paint, when } from "../output/text.ts";
import { noteWhoActs } from "../output/who-acts.ts";

const EXAMPLES = `
Examples:
  pawl merge-queue list
  pawl merge-queue pause --why "release day"
  pawl merge-queue resume`;

type Json = { json?: true | undefined };

export const addMergeQueue: AddCommand = (program, { deps }) => {
  const queue = program
    .command("merge-queue")
    .description("the only way onto the target")
    .addHelpText("after", EXAMPLES);
  queue
    .command("list")
    .description("what waits to land, in the order it will")
    .option("--all", "also what has left the queue")
    .option("--json", "as JSON, with all fields")
    .action((options) => listEntries(deps(), options));
  queue
    .command("status")
    .description("whether it runs, what it tests, what landed last")
    .option("--json", "as JSON, with all fields")
    .action((options) => showQueue(deps(), options));
  queue
    .command("pause")
    .description("let nothing land until it is resumed")
    .option("--why <text>", "shown to everybody who asks", "paused by hand")
    .action((options) => pauseQueue(deps(), options));
  queue
    .command("resume")
    .description("go on landing")
    .action(() => resumeQueue(deps()));
};

const queueOf = (deps: Deps): Promise<QueueView> => deps.client.get("/v1/queue");

async function listEntries(deps: Deps, options: Json & { all?: true | undefined }): Promise<void> {
  const queue = await queueOf(deps);
  const entries = options.all === true ? [...queue.past, ...queue.entries] : queue.entries;
  const empty = "the merge queue is empty";
  printRows(deps, entries, { columns: columns(deps), json: options.json, empty });
}

const columns = (deps: Deps): Column<EntryView>[] => [
  { title: "id", tty: ({ id }) => String(id) },
  { title: "branch", tty: ({ branch }) => branch, widthMin: 15 },
  { title: "status", tty: ({ status }) => statusText(deps, status), pipe: ({ status }) => status },
  {
    title: "reason",
    tty: ({ reason }) => harmless(reason ?? ""),
    pipe: ({ reason }) => reason ?? "",
    widthMin: 15,
  },
  { title: "identity", tty: (entry) => entry.identity_name ?? "" },
  {
    title: "issue",
    tty: (entry) => (entry.bead_id === null ? "" : `#${entry.bead_id}`),
    pipe: (entry) => entry.bead_id ?? "",
  },
  {
    title: "pr",
    tty: (entry) => (entry.pr_number === null ? "" : `#${entry.pr_number}`),
    pipe: (entry) => String(entry.pr_number ?? ""),
  },
  { title: "requested", tty: (entry) => when(deps, entry.requested_at) },
];

const RED = ["held", "conflict", "failed", "rejected"];

function statusText(deps: Deps, status: string): string {
  if (RED.includes(status)) return paint(deps, "red", status);
  return status === "merged" ? paint(deps, "green", status) : status;
}

async function showQueue(deps: Deps, options: Json): Promise<void> {
  const queue = await queueOf(deps);
  if (options.json === true) {
    printJson(deps, queue);
    return;
  }
  const byStatus = Object.groupBy(queue.entries, ({ status }) => status);
  const parts = Object.entries(byStatus).map(([status, some]) => `${some?.length ?? 0} ${status}`);
  const waiting = parts.length === 0 ? "empty" : parts.join(", ");
  const landed = queue.past.filter(({ status }) => status === "merged");
  const last = landed.at(-1);
  if (queue.paused !== null) {
    const { by, why } = queue.paused;
    deps.stdout(`${paint(deps, "red", "paused")} by ${harmless(by)}: ${harmless(why)}\n`);
    deps.stderr("`pawl merge-queue resume` goes on\n");
  }
  deps.stdout(`merge queue of ${queue.project}: ${waiting}\n`);
  if (last !== undefined) {
    const ago = when(deps, last.left_at);
    const branches = count(landed.length, "branch", "branches");
    deps.stdout(`${branches} landed, the last ${ago} (${last.branch})\n`);
  }
}

async function pauseQueue(deps: Deps, { why }: { why: string }): Promise<void> {
  await deps.client.post("/v1/queue/pause", { by: deps.user, why });
  deps.stderr("paused: nothing lands until `pawl merge-queue resume`\n");
}

async function resumeQueue(deps: Deps): Promise<void> {
  await deps.client.post("/v1/queue/resume", { by: deps.user });
  deps.stderr("resumed\n");
  await noteWhoActs(deps);
}
