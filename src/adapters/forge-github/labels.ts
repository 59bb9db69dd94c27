// Labels, by name as GitHub has them: made where missing.
import * as z from "zod";
import type { Connection } from "../shared/forge/connection.ts";
import { colourOf, type Labels } from "../shared/forge/labels.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

type NamedLabels = Labels & {
  /** Those of them that there are not. */
  missing(names: readonly string[]): Promise<string[]>;
};

export function createLabels(connection: Connection): NamedLabels {
  let known: Set<string> | undefined;

  async function read(): Promise<Set<string>> {
    if (known !== undefined) return known;
    const all = await connection.read.list({
      what: "read the labels",
      path: connection.at("/labels"),
      query: connection.dialect.page,
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
      what: `create the label ${name}`,
      method: "POST",
      path: connection.at("/labels"),
      body: { name, color: colourOf(name) },
      schema: anything,
      // The label was created meanwhile.
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
    async missing(names) {
      const all = await read();
      return names.filter((name) => !all.has(name.toLowerCase()));
    },
  };
}
