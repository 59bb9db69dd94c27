// Writes docs/reference: the keys of pawl.toml, all commands and what each agent can do, from the
// schema, the registry and the runtimes.
import { writeFileSync } from "node:fs";
import { agentsPage, commandsPage, configPage } from "./reference/texts.ts";

const folder = new URL("../docs/reference/", import.meta.url);
writeFileSync(new URL("pawl-toml.md", folder), configPage());
writeFileSync(new URL("commands.md", folder), await commandsPage());
writeFileSync(new URL("agents.md", folder), agentsPage());
