// Labels, by name as GitHub has them: made where missing, and only what differs is sent.
import * as z from "zod";
import { LABELS } from "../../core/issue.ts";
import type { Connection } from "./connection.ts";
import * as shape from "./shapes.ts";

const COLOURS: Record<string, string> = {
  [LABELS.backlog]: "0075ca",
  [LABELS.inProgress]: "e4e669",
  [LABELS.blocked]: "d73a4a",
  [LABELS.priority]: "b60205",
  [LABELS.techDebt]: "cfd3d7",
};
const COLOUR_OTHER = "c5def5";

export type Labels = { ensure(names: readonly string[]): Promise<string[]> };

export function createLabels(connection: Connection): Labels {
  let known: Set<string> | undefined;

  async function read(): Promise<Set<string>> {
    if (known !== undefined) return known;
    const all = await connection.read.list({
      what: "read the labels",
      path: connection.at("/labels"),
      query: { per_page: 100 },
      schema: z.array(shape.named),
    });
    known = new Set(all.map(({ name }) => name.toLowerCase()));
    return known;
  }

  async function make(name: string): Promise<void> {
    const all = await read();
    // GitHub's labels differ in more than case.
    if (all.has(name.toLowerCase())) return;
    await connection.change({
      what: `make the label ${name}`,
      method: "POST",
      path: connection.at("/labels"),
      body: { name, color: COLOURS[name] ?? COLOUR_OTHER },
      schema: shape.anything,
      // Somebody made it meanwhile.
      accept: [422],
    });
    all.add(name.toLowerCase());
  }

  return {
    ensure: (names) =>
      connection.serial("labels", async () => {
        const unique = [...new Set(names)];
        for (const name of unique) await make(name);
        return unique;
      }),
  };
}

/** Removes first: a label that is both removed and added is there afterwards. */
export async function relabel(
  connection: Connection,
  labels: Labels,
  change: { before: shape.RawIssue; addLabels?: string[]; removeLabels?: string[] },
): Promise<void> {
  const { before, addLabels = [], removeLabels = [] } = change;
  const path = connection.at(`/issues/${before.number}/labels`);
  const gone = before.labels.filter(
    (name) => removeLabels.includes(name) && !addLabels.includes(name),
  );
  for (const name of gone) {
    await connection.change({
      what: `take the label ${name} off #${before.number}`,
      method: "DELETE",
      path: `${path}/${encodeURIComponent(name)}`,
      schema: shape.anything,
      accept: [404],
    });
  }
  const fresh = addLabels.filter((name) => !before.labels.includes(name));
  if (fresh.length === 0) return;
  await connection.change({
    what: `put the labels ${fresh.join(", ")} on #${before.number}`,
    method: "POST",
    path,
    body: { labels: await labels.ensure(fresh) },
    schema: shape.anything,
    repeatable: true,
  });
}
