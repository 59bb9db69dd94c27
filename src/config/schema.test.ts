import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configSchema } from "./schema.ts";

test("docs/pawl.schema.json is current (`node scripts/schema.ts` writes it)", () => {
  const file = new URL("../../docs/pawl.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(configSchema());
});
