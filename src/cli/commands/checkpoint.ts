// `pawl checkpoint list|show|diff|restore`: what was saved of an agent's work, and getting it back.
import { resolve } from "node:path";
import type { CheckpointContentView, CheckpointView, RestoredView } from "../../api/checkpoints.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { positiveCount, usage } from "../options.ts";
import { paintDiff } from "../output/diff.ts";
import { printDocument } from "../output/document.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";

const EXAMPLES = `
Checkpoints are numbered from 1. Without a number, the newest one is used.
list counts the files that differ from the checkpoint before, and diff shows
them; the first one is compared with the commit at which the workspace began.

Examples:
  pawl checkpoint list 7
  pawl checkpoint diff 7 12
  pawl checkpoint restore 7 12 --to /tmp/as-it-was
  pawl checkpoint restore 7 12 --into-workspace`;

const LIMIT_DEFAULT = 50;

type Json = { json?: true | undefined };

export const addCheckpoint: AddCommand = (program, { deps }) => {
  const checkpoint = program
    .command("checkpoint")
    .description("list, inspect and restore checkpoints of an agent's work")
    .addHelpText("after", EXAMPLES);
  checkpoint
    .command("list")
    .description("list the checkpoints of an identity, newest first")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .option("--limit <count>", "list at most this many", positiveCount, LIMIT_DEFAULT)
    .option("--json", "print JSON with all fields")
    .action((ref, options) => list(deps(), ref, options));
  checkpoint
    .command("show")
    .description("show what a checkpoint holds")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .argument("[number]", "the number of the checkpoint (default: the newest)", positiveCount)
    .option("--json", "print JSON with all fields")
    .action((ref, number, options) => show(deps(), { ref, number }, options));
  checkpoint
    .command("diff")
    .description("show what a checkpoint changed since the one before")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .argument("[number]", "the number of the checkpoint (default: the newest)", positiveCount)
    .option("--from <number>", "compare with this checkpoint instead", positiveCount)
    .option("--stat", "only the list of files with counts")
    .option("--json", "as JSON: stat and diff")
    .action((ref, number, options) => diff(deps(), { ref, number }, options));
  checkpoint
    .command("restore")
    .description("restore a checkpoint into a new folder")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .argument("[number]", "the number of the checkpoint (default: the newest)", positiveCount)
    .option("--to <folder>", "restore into this new folder")
    .option("--into-workspace", "restore into the workspace itself; refused while its agent runs")
    .option("--json", "as JSON: where it is")
    .action((ref, number, options) => restore(deps(), { ref, number }, options));
};

type Which = { ref: string; number: number | undefined };

const pathOf = ({ ref, number }: Which): string =>
  `/v1/checkpoints/${encodeURIComponent(ref)}/${number ?? "last"}`;

async function list(deps: Deps, ref: string, options: Json & { limit: number }): Promise<void> {
  const path = `/v1/checkpoints/${encodeURIComponent(ref)}?limit=${options.limit}`;
  const rows = await deps.client.get<CheckpointView[]>(path);
  const empty = `${ref} has no checkpoints`;
  printRows(deps, rows, { columns: columns(deps), json: options.json, empty });
}

const columns = (deps: Deps): Column<CheckpointView>[] => [
  { title: "number", tty: ({ number }) => String(number), align: "right" },
  { title: "saved", tty: ({ at }) => when(deps, at) },
  { title: "files", tty: ({ files }) => String(files), align: "right" },
  { title: "reason", tty: ({ reason }) => harmless(reason), widthMin: 12 },
  { title: "commit", tty: ({ commit }) => commit.slice(0, 12), pipe: ({ commit }) => commit },
  {
    title: "not saved",
    tty: ({ skipped_count: count }) => (count === 0 ? "" : String(count)),
    pipe: ({ skipped_count: count }) => String(count),
  },
];

async function show(deps: Deps, which: Which, options: Json): Promise<void> {
  const one = await deps.client.get<CheckpointContentView>(pathOf(which));
  if (options.json === true) {
    printJson(deps, one);
    return;
  }
  printDocument(deps, {
    title: `checkpoint ${one.number} of ${one.identity}`,
    facts: [
      { name: "saved", value: when(deps, one.at) },
      { name: "reason", value: one.reason },
      { name: "commit", value: one.commit },
      { name: "branch", value: one.branch ?? "" },
      { name: "head", value: one.head ?? "" },
      { name: "not saved", value: one.skipped.join(", ") },
      { name: "partial", value: one.partial.join(", ") },
      { name: "repositories inside", value: one.nested.map(({ path }) => path).join(", ") },
    ],
    text: one.changes.map(({ status, path }) => `${status} ${path}`).join("\n"),
    said: [],
  });
}

async function diff(
  deps: Deps,
  which: Which,
  options: Json & { from?: number | undefined; stat?: true | undefined },
): Promise<void> {
  const from = options.from === undefined ? "" : `?from=${options.from}`;
  const both = await deps.client.get<{ stat: string; diff: string }>(
    `${pathOf(which)}/diff${from}`,
  );
  if (options.json === true) {
    printJson(deps, both);
    return;
  }
  const text = options.stat === true ? both.stat : both.diff;
  if (text.trim() === "") deps.stderr("nothing changed\n");
  else deps.stdout(paintDiff(deps, text));
}

type Restore = Json & { to?: string | undefined; intoWorkspace?: true | undefined };

async function restore(deps: Deps, which: Which, options: Restore): Promise<void> {
  const { to, intoWorkspace } = options;
  if (to !== undefined && intoWorkspace === true) {
    throw usage("--to and --into-workspace cannot be used together", "leave one of them out");
  }
  const restored = await deps.client.post<RestoredView>(`${pathOf(which)}/restore`, {
    by: deps.user,
    ...(to === undefined ? {} : { to: resolve(deps.cwd, to) }),
    into_workspace: intoWorkspace === true,
  });
  if (options.json === true) {
    printJson(deps, restored);
    return;
  }
  for (const path of restored.skipped.filter((one) => !restored.partial.includes(one))) {
    deps.stderr(`not in this checkpoint, because it could not be saved: ${harmless(path)}\n`);
  }
  for (const path of restored.partial) {
    deps.stderr(
      `${harmless(path)} was being written: the checkpoint holds only an earlier copy, restored as ${harmless(path)}.partial\n`,
    );
  }
  deps.stderr(`restored checkpoint ${restored.number} of ${restored.identity} into\n`);
  deps.stdout(`${restored.path}\n`);
}
