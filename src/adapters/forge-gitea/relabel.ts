// Labels of one issue: only what is different is sent.
import type { Connection } from "./connection.ts";
import type { Labels } from "./labels.ts";
import * as shape from "./shapes.ts";

/** Removes first: a label that is both removed and added is there afterwards. */
export async function relabel(
  connection: Connection,
  labels: Labels,
  change: { before: shape.RawIssue; addLabels?: string[]; removeLabels?: string[] },
): Promise<void> {
  const { before, addLabels = [], removeLabels = [] } = change;
  const path = connection.at(`/issues/${before.number}/labels`);
  const present = before.labels ?? [];
  const gone = present.filter(
    ({ name }) => removeLabels.includes(name) && !addLabels.includes(name),
  );
  for (const { id, name } of gone) {
    await connection.change({
      what: `take the label ${name} off #${before.number}`,
      method: "DELETE",
      path: `${path}/${id}`,
      schema: shape.anything,
      accept: [404, 422],
    });
  }
  const fresh = addLabels.filter((name) => !present.some((label) => label.name === name));
  if (fresh.length === 0) return;
  await connection.change({
    what: `put the labels ${fresh.join(", ")} on #${before.number}`,
    method: "POST",
    path,
    body: { labels: await labels.ids(fresh) },
    schema: shape.anything,
    repeatable: true,
  });
}
