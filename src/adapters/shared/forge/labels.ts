// Labels of one issue: only what is different is sent. Which labels there are, and how they are
// made, is the adapter's.
import { LABELS } from "../../../core/issue.ts";
import type { Connection } from "./connection.ts";
import { anything, type RawIssue } from "./shapes.ts";

export type Labels = {
  /** What the forge calls these names when they are put on an issue; made where missing. */
  ensure(names: readonly string[]): Promise<(string | number)[]>;
};

const COLOURS: Record<string, string> = {
  [LABELS.backlog]: "0075ca",
  [LABELS.inProgress]: "e4e669",
  [LABELS.blocked]: "d73a4a",
  [LABELS.priority]: "b60205",
  [LABELS.techDebt]: "cfd3d7",
};
const COLOUR_OTHER = "c5def5";

export const colourOf = (label: string): string => COLOURS[label] ?? COLOUR_OTHER;

/** Removes first: a label that is both removed and added is there afterwards. */
export async function relabel(
  connection: Connection,
  labels: Labels,
  change: { before: RawIssue; addLabels?: string[]; removeLabels?: string[] },
): Promise<void> {
  const { before, addLabels = [], removeLabels = [] } = change;
  const path = connection.at(`/issues/${before.number}/labels`);
  const gone = before.labels.filter(
    ({ name }) => removeLabels.includes(name) && !addLabels.includes(name),
  );
  for (const { ref, name } of gone) {
    await connection.change({
      what: `remove the label ${name} from #${before.number}`,
      method: "DELETE",
      path: `${path}/${ref}`,
      schema: anything,
      accept: connection.dialect.unlabelled,
    });
  }
  const fresh = addLabels.filter((name) => !before.labels.some((label) => label.name === name));
  if (fresh.length === 0) return;
  await connection.change({
    what: `add the labels ${fresh.join(", ")} to #${before.number}`,
    method: "POST",
    path,
    body: { labels: await labels.ensure(fresh) },
    schema: anything,
    repeatable: true,
  });
}
