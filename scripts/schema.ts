// Writes docs/pawl.schema.json, which gives editors completion and checks for pawl.toml.
// A unit test fails while the file is not current.
import { writeFileSync } from "node:fs";
import { configSchema } from "../src/config/schema.ts";

const file = new URL("../docs/pawl.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configSchema(), undefined, 2)}\n`);
