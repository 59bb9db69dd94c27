// What a project remembers of its earlier runs, by issue or by the identity of a task: no run may take
// the name of one that was there before. Only so many are remembered each. Beyond that, the lowest
// numbers share one memory: the most attempts and the highest epoch that any of them had, so that
// a later run of one of them still takes a name that was never used.
import type { ActiveRun, Past, Project } from "./project.ts";

const REMEMBERED_MAX = 500;
const REMEMBERED_AFTER = 300;
const NUMBERED = /^(.*-)?(\d+)$/;

export const historyKey = ({ issue, task }: Pick<ActiveRun, "issue" | "task">): string =>
  task?.identity ?? String(issue);

export function pastOf({ history, forgotten }: Project, key: string): Past {
  const known = history[key];
  if (known !== undefined) return known;
  const { prefix, number } = partsOf(key) ?? {};
  const shared = prefix === undefined ? undefined : forgotten?.[prefix];
  if (shared === undefined || number === undefined || number > shared.upTo) {
    return { attempts: 0, epoch: 0 };
  }
  return { attempts: shared.attempts, epoch: shared.epoch };
}

/** The project with what is known of one key now. */
export function remember(project: Project, key: string, past: Past): Project {
  const history = { ...project.history, [key]: past };
  const known = { ...project, history };
  const { length } = Object.keys(history);
  return length <= REMEMBERED_MAX ? known : forgetLowest(known, length - REMEMBERED_AFTER);
}

function forgetLowest(project: Project, count: number): Project {
  const used = new Set([
    ...[...project.active, ...project.leaving].map(historyKey),
    ...project.backlog.map(({ number }) => String(number)),
  ]);
  const lowest = Object.keys(project.history)
    .flatMap((key) => {
      const parts = used.has(key) ? undefined : partsOf(key);
      return parts === undefined ? [] : [{ key, ...parts }];
    })
    .toSorted((a, b) => a.number - b.number)
    .slice(0, count);
  const history = { ...project.history };
  const forgotten = { ...project.forgotten };
  for (const { key, prefix, number } of lowest) {
    const past = pastOf(project, key);
    const shared = forgotten[prefix] ?? { upTo: 0, attempts: 0, epoch: 0 };
    forgotten[prefix] = {
      upTo: Math.max(shared.upTo, number),
      attempts: Math.max(shared.attempts, past.attempts),
      epoch: Math.max(shared.epoch, past.epoch),
    };
    delete history[key];
  }
  return { ...project, history, forgotten };
}

/** `42`, or `review-17`; undefined for an identity without a number, of which there are few. */
function partsOf(key: string): { prefix: string; number: number } | undefined {
  const found = NUMBERED.exec(key);
  return found === null ? undefined : { prefix: found[1] ?? "", number: Number(found[2]) };
}
