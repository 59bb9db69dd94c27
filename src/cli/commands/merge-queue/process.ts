// `pawl merge-queue process`: works until the next entry has landed or gone back, or with --until-idle until
// nothing can move. With a daemon it watches the daemon do it.
import { setTimeout as delay } from "node:timers/promises";
import type { EntryView, QueueView } from "../../../api/queue.ts";
import { entryName, plainReason } from "../../../api/queue-names.ts";
import { queueWord } from "../../../api/queue-words.ts";
import type { AtWork } from "../../client.ts";
import { EXIT, type Deps, type ExitCode } from "../../deps.ts";
import { spanText } from "../../../api/spans.ts";
import { cutAfterWord } from "../../output/table.ts";
import { bottomLine } from "../../output/bottom-line.ts";
import { diffOf, nextCommand } from "../../output/wait-words.ts";
import { printJson } from "../../output/rows.ts";
import { count, harmless, paint } from "../../output/text.ts";
import { wrapped } from "../../output/wrap.ts";
import { pausedText, queueOf, RESUME } from "./look.ts";

type Options = { all?: true | undefined; json?: true | undefined };

export async function processQueue(own: Deps, options: Options): Promise<ExitCode> {
  using progress = createProgress(own);
  const { deps } = progress;
  const work = progress.around(await own.client.queueAtWork());
  const landed: number[] = [];
  try {
    return await follow(deps, work, { ...options, landed });
  } finally {
    await work.close();
    if (landed.length > 0) await sayRemoved(deps, landed);
  }
}

/** On a terminal the last line says from the first second what is under way, and since when. */
function createProgress(deps: Deps) {
  const line = deps.stderrColumns() > 0 ? bottomLine(deps) : undefined;
  const began = deps.now();
  const show = (what: string): void =>
    line?.set((columns) =>
      cutAfterWord(`${spanText(Math.max(1000, deps.now() - began))}  ${what}`, columns),
    );
  show("opening the merge queue …");
  return {
    deps:
      line === undefined
        ? deps
        : {
            ...deps,
            stderr: line.stderr,
            stdout: (text: string) => line.above(() => deps.stdout(text)),
          },
    around: (work: AtWork<QueueView>): AtWork<QueueView> => ({
      ...work,
      view: async () => {
        const view = await work.view();
        show(underWay(view));
        return view;
      },
    }),
    [Symbol.dispose]: () => line?.stop(),
  };
}

function underWay({ entries }: QueueView): string {
  const each = entries.map(
    ({ id, branch, status }) => `${entryName(id)} ${branch}: ${queueWord(status)}`,
  );
  return [`${count(entries.length, "entry", "entries")} in the queue`, ...each].join(" · ");
}

/** A daemon removes a branch right after its entry has landed, and says nothing where there was none. */
const REMOVED_MAX_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/** Branches go after their entries have landed; in your own repository you would miss them. */
async function sayRemoved(deps: Deps, landed: number[]): Promise<void> {
  const isLeft = ({ removing = [] }: QueueView): boolean =>
    landed.some((id) => removing.includes(id));
  const until = deps.now() + REMOVED_MAX_MS;
  let queue = await queueOf(deps);
  while (isLeft(queue) && deps.now() < until) {
    await delay(LOOK_AGAIN_MS);
    queue = await queueOf(deps);
  }
  const { past } = queue;
  for (const { id, branch, head, branch_removed: from } of past) {
    if (from !== "checkout" || !landed.includes(id)) continue;
    const again = `\`git branch ${branch} ${head.slice(0, 10)}\` restores it`;
    deps.stderr(`removed your branch ${branch}, which has landed; ${again}\n`);
  }
}

async function follow(
  deps: Deps,
  work: AtWork<QueueView>,
  options: Options & { /** Filled in. */ landed: number[] },
): Promise<ExitCode> {
  let view = await work.view();
  const known = new Set(view.past.map(({ id }) => id));
  const left: EntryView[] = [];
  for (;;) {
    const gone = view.past.filter(({ id, status }) => !known.has(id) && status !== "withdrawn");
    for (const entry of gone) {
      known.add(entry.id);
      left.push(entry);
      if (entry.status === "merged") options.landed.push(entry.id);
      if (options.json !== true) deps.stdout(`${leftLine(deps, entry)}\n`);
    }
    if ((options.all !== true && left.length > 0) || !isMoving(view)) break;
    await work.changed();
    view = await work.view();
  }
  if (options.json === true) printJson(deps, left);
  return finished(deps, { view, left, all: options.all === true });
}

/** Something is under way, or will be tried again by itself. */
const isMoving = ({ state, retry_at: retryAt }: QueueView): boolean =>
  state === "working" || (state === "waiting" && retryAt !== null);

function leftLine(deps: Deps, entry: EntryView): string {
  const about = `${entryName(entry.id)}  ${entry.branch}`;
  if (entry.status === "merged") {
    return `${paint(deps, "green", "✓")} ${about}  landed as ${entry.merged_as?.slice(0, 10)}`;
  }
  const command = nextCommand(entry);
  const output = command === undefined ? "" : `\n   \`${command}\` shows its output`;
  const step = entry.next_step === null ? "" : `\n   ${harmless(entry.next_step)}`;
  const next = `${output}${step}`;
  const why = `sent back: ${harmless(plainReason(entry.reason ?? ""))}`;
  return wrapped(deps, `${paint(deps, "yellow", "↩")} ${about}  ${why}${next}`);
}

/** 1 where something went back, 8 where something waits for a person, 0 otherwise. */
function finished(deps: Deps, end: { view: QueueView; left: EntryView[]; all: boolean }): ExitCode {
  const { view, left, all } = end;
  const stuck = isMoving(view) ? [] : view.entries;
  if (left.length === 0 && stuck.length === 0) deps.stderr("nothing to do\n");
  if (stuck.length > 0) sayStuck(deps, view);
  if (left.some(({ status }) => status === "returned")) return EXIT.failed;
  return stuck.length > 0 && (all || left.length === 0) ? EXIT.pending : EXIT.ok;
}

function sayStuck(deps: Deps, queue: QueueView): void {
  const { entries } = queue;
  const paused = pausedText(queue);
  if (paused !== undefined) deps.stderr(`${paused}\n${RESUME}\n`);
  deps.stderr(`${count(entries.length, "entry waits", "entries wait")}:\n`);
  for (const entry of entries) {
    const { id, branch, reason } = entry;
    const why = reason === null ? "" : `: ${harmless(plainReason(reason))}`;
    deps.stderr(`  ${entryName(id)}  ${branch}${why}\n`);
    const command = nextCommand(entry);
    if (command === undefined) continue;
    for (const one of [...diffOf(branch), command]) deps.stderr(`    ${one}\n`);
  }
}
