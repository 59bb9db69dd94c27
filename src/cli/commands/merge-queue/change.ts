// `pawl merge-queue add|remove|approve|priority|pause|resume`: what a person wants of the queue.
import type { AddedEntries, EntryView, ResumedView } from "../../../api/queue.ts";
import { entryName, findEntry } from "../../../api/queue-names.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import { EXIT, type Deps, type ExitCode } from "../../deps.ts";
import { printJson } from "../../output/rows.ts";
import { harmless } from "../../output/text.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { queueOf } from "./look.ts";

/** Where no daemon runs, this is what goes on. */
const PROCESS = "`pawl merge-queue process --until-idle`";

export async function addBranches(
  deps: Deps,
  branches: string[],
  options: { priority: number; after: string[]; json?: true | undefined },
): Promise<ExitCode> {
  const { priority, after, json } = options;
  const wanted = { branches, priority, after };
  const { added, refused = [] } = await deps.client.post<AddedEntries>("/v1/queue/entries", wanted);
  const entries = added.map(({ entry }) => entry);
  if (json === true) printJson(deps, branches.length === 1 ? entries[0] : entries);
  // For scripts; people read the sentences below.
  else if (!deps.isTty) deps.stdout(entries.map(({ id }) => `${entryName(id)}\n`).join(""));
  for (const { entry, from } of added) {
    const { id, branch, head } = entry;
    const place = from === "checkout" ? " (only in your repository, not upstream)" : "";
    deps.stderr(`queued ${branch} at ${head.slice(0, 10)}${place} as ${entryName(id)}\n`);
  }
  for (const why of refused) deps.stderr(`${why}\n`);
  await noteWhoActs(deps, PROCESS);
  return refused.length > 0 ? EXIT.failed : EXIT.ok;
}

export async function removeEntry(deps: Deps, named: string): Promise<void> {
  const { id, branch } = await entryOf(deps, named);
  await deps.client.post("/v1/queue/remove", { entry: id, by: deps.user });
  deps.stderr(`removed ${branch} from the queue\n`);
}

export async function approveEntry(deps: Deps, named: string): Promise<void> {
  const { id, branch, head, protected_files: files } = await waitingOf(deps, named, "approve");
  await deps.client.post("/v1/queue/approve", { entry: id, by: deps.user });
  deps.stderr(`${branch} at ${head.slice(0, 10)} may now change ${files.join(", ")}\n`);
  await noteWhoActs(deps, PROCESS);
}

export async function setPriority(deps: Deps, named: string, priority: number): Promise<void> {
  const { id, branch } = await waitingOf(deps, named, "change the priority of");
  await deps.client.post("/v1/queue/priority", { entry: id, by: deps.user, priority });
  deps.stderr(`${branch} has priority ${priority}\n`);
}

export async function pauseQueue(deps: Deps, { why }: { why: string }): Promise<void> {
  await deps.client.post("/v1/queue/pause", { by: deps.user, why });
  deps.stderr("paused: nothing lands until `pawl merge-queue resume`\n");
}

export async function resumeQueue(deps: Deps): Promise<void> {
  const view = await deps.client.post<ResumedView>("/v1/queue/resume", { by: deps.user });
  const { acknowledged = [], paused } = view;
  if (acknowledged.length > 0) {
    const commits = acknowledged.map((commit) => commit.slice(0, 10)).join(", ");
    deps.stderr(`acknowledged commits that bypassed the merge queue: ${commits}\n`);
  }
  if (acknowledged.length > 0 && paused !== null) {
    const { by, why } = paused;
    deps.stderr(
      `the queue is still paused by ${by} (${harmless(why)}): run \`pawl merge-queue resume\` once more to resume it\n`,
    );
    return;
  }
  deps.stderr("resumed\n");
  await noteWhoActs(deps, PROCESS);
}

/** One that was sent back is listed, but nothing can be wished of it before it is queued again. */
async function waitingOf(deps: Deps, named: string, wish: string): Promise<EntryView> {
  const entry = await entryOf(deps, named);
  if (entry.status !== "returned") return entry;
  throw new OperationError(`cannot ${wish} ${entry.branch}: it was sent back`, {
    code: "no-entry",
    hint: entry.next_step ?? `\`pawl merge-queue explain ${entryName(entry.id)}\` says why`,
  });
}

/** By its issue, its branch or itself; also what was sent back and is still listed. */
async function entryOf(deps: Deps, named: string): Promise<EntryView> {
  const { entries, past } = await queueOf(deps);
  const listed = [...past.filter(({ status }) => status === "returned"), ...entries];
  return findEntry(listed, named, ({ id, branch, bead_id: issue, pr_number: pr }) => ({
    id,
    branch,
    issue: issue === null ? undefined : Number(issue),
    pr: pr ?? undefined,
  }));
}
