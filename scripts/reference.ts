// Writes docs/reference: the keys of pawl.toml and all commands, from the schema and the registry.
import { writeFileSync } from "node:fs";
import { commandsPage, configPage } from "./reference/texts.ts";

const folder = new URL("../docs/reference/", import.meta.url);
writeFileSync(new URL("pawl-toml.md", folder), configPage());
writeFileSync(new URL("commands.md", folder), await commandsPage());
