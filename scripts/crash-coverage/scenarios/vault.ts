// The vault: an approved action reaches outside at most once, and what may have happened is put
// before a person.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultView } from "../../../src/api/vault.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "../../../test/support/pawl.ts";
import { GATE, type Scenario } from "../scenario.ts";

const IDS = ["one", "two"];

export const vault: Scenario = {
  name: "the vault",
  points: /^firing\./,
  make: async () => {
    const config = `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`;
    const factory = await makeFactory({ config, files: GATE });
    for (const id of IDS) {
      const argv = ["sh", "-c", `echo ${id} >> "$HOME/log"`];
      await factory.ok("vault", "request", "--id", id, "--what", id, "--command", "--", ...argv);
      await factory.ok("vault", "approve", id);
    }
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => {
    const items = JSON.parse(await factory.ok("vault", "list", "--json")) as VaultView[];
    return IDS.flatMap((id) => wrongWith(factory, items, id));
  },
};

function wrongWith(factory: Factory, items: VaultView[], id: string): string[] {
  const times = logOf(factory).filter((line) => line === id).length;
  const status = items.find((item) => item.id === id)?.status ?? "lost";
  if (status === "fired" && times === 1) return [];
  if (status === "unsure" && times <= 1) return [];
  return [`${id} is ${status} and was carried out ${times} times`];
}

function logOf({ root }: Factory): string[] {
  try {
    return readFileSync(join(root, "user", "log"), "utf8").split("\n");
  } catch {
    return [];
  }
}
