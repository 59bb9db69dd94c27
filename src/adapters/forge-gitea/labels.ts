// Labels by id: names are looked up once, and made where they are missing. Gitea takes ids only, and
// takes an unknown one silently for none.
import * as z from "zod";
import type { Connection } from "../shared/forge/connection.ts";
import { colourOf, type Labels } from "../shared/forge/labels.ts";
import * as shape from "./shapes.ts";

type LabelsById = Labels & {
  /** Only of those that there are. */
  known(names: readonly string[]): Promise<{ id: number; name: string }[]>;
};

export function createLabels(connection: Connection): LabelsById {
  let ids: Map<string, number> | undefined;

  async function read(): Promise<Map<string, number>> {
    if (ids !== undefined) return ids;
    const schema = z.array(shape.label);
    const what = "read the labels";
    const query = connection.dialect.page;
    const own = await connection.read.list({ what, path: connection.at("/labels"), query, schema });
    ids = new Map(own.map(({ name, id }) => [name, id]));
    return ids;
  }

  async function make(name: string): Promise<number> {
    const known = (await read()).get(name);
    if (known !== undefined) return known;
    const made = await connection.change({
      what: `create the label ${name}`,
      method: "POST",
      path: connection.at("/labels"),
      body: { name, color: `#${colourOf(name)}` },
      schema: shape.label,
    });
    if (made.kind !== "ok") throw new Error(`label ${name} was refused without an error`);
    ids?.set(name, made.body.id);
    return made.body.id;
  }

  return {
    ensure: (names) =>
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
