// Labels by id: names are looked up once, and made where they are missing. Gitea takes ids only, and
// takes an unknown one silently for none.
import * as z from "zod";
import { LABELS } from "../../core/issue.ts";
import type { Connection } from "./connection.ts";
import * as shape from "./shapes.ts";

export type Labels = {
  /** The ids of these names, made where missing. */
  ids(names: readonly string[]): Promise<number[]>;
  /** Only of those that there are. */
  known(names: readonly string[]): Promise<{ id: number; name: string }[]>;
};

const COLOURS: Record<string, string> = {
  [LABELS.backlog]: "#0075ca",
  [LABELS.inProgress]: "#e4e669",
  [LABELS.blocked]: "#d73a4a",
  [LABELS.priority]: "#b60205",
  [LABELS.techDebt]: "#cfd3d7",
};
const COLOUR_OTHER = "#c5def5";

export function createLabels(connection: Connection): Labels {
  let ids: Map<string, number> | undefined;

  async function read(): Promise<Map<string, number>> {
    if (ids !== undefined) return ids;
    const schema = z.array(shape.label);
    const what = "read the labels";
    const query = { limit: 50 };
    const own = await connection.read.list({ what, path: connection.at("/labels"), query, schema });
    ids = new Map(own.map(({ name, id }) => [name, id]));
    return ids;
  }

  async function make(name: string): Promise<number> {
    const known = (await read()).get(name);
    if (known !== undefined) return known;
    const made = await connection.change({
      what: `make the label ${name}`,
      method: "POST",
      path: connection.at("/labels"),
      body: { name, color: COLOURS[name] ?? COLOUR_OTHER },
      schema: shape.label,
    });
    if (made.kind !== "ok") throw new Error(`label ${name} was refused without an error`);
    ids?.set(name, made.body.id);
    return made.body.id;
  }

  return {
    ids: (names) =>
      // One at a time: Gitea would make a label twice under one name.
      connection.serial("labels", async () => {
        const all: number[] = [];
        for (const name of new Set(names)) all.push(await make(name));
        return all;
      }),
    async known(names) {
      const all = await read();
      return names.flatMap((name) => {
        const id = all.get(name);
        return id === undefined ? [] : [{ id, name }];
      });
    },
  };
}
