// What takes long in git or on the bare target, told while it is under way: a line each time it got
// further, from the second look on, so that what is over at once says nothing. Nothing of it is in the
// journal, so that no change announces it: it is asked for now and then.
import type { StatusView } from "../../api/runs.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";
import { harmless, paint } from "./text.ts";
import { shownRef } from "./shown-ref.ts";

const LOOK_EVERY_MS = 1_000;

type Terminal = Pick<Deps, "stderr" | "now" | "colour">;

/** `onFirst` is awaited before each line, and says at most once what stands above all of them. */
type Options = { everyMs?: number; onFirst?: (status: StatusView) => Promise<void> };

export function tellProgress(
  terminal: Terminal,
  foreground: Pick<Foreground, "status">,
  { everyMs = LOOK_EVERY_MS, onFirst = async () => undefined }: Options = {},
): Disposable {
  let told = new Set<string>();
  let underWay = new Set<string>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const status = await foreground.status();
    const lines = progressLines(status);
    const isNews = (line: string): boolean => underWay.has(workOf(line)) && !told.has(line);
    const news = lines.filter(isNews);
    if (news.length > 0) await onFirst(status);
    for (const line of news) {
      const time = new Date(terminal.now()).toTimeString().slice(0, 8);
      terminal.stderr(`${paint(terminal, "dim", `${time}  ${harmless(line)}`)}\n`);
    }
    told = new Set([...lines.filter((line) => told.has(line)), ...news]);
    underWay = new Set(lines.map(workOf));
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // What keeps the status from being read is reported by the command itself.
    look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The same work at another look: `toy: repository` of `toy: repository: receiving objects, 10 %`. */
const workOf = (line: string): string => line.split(": ").slice(0, -1).join(": ");

const progressLines = ({ projects, runs }: StatusView): string[] => [
  ...projects.flatMap(({ name, progress = [] }) => progress.map((line) => `${name}: ${line}`)),
  ...runs.flatMap((run) =>
    typeof run.progress === "string" ? [`${shownRef(run)}: ${run.progress}`] : [],
  ),
];
