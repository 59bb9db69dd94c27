import { canonicalJson } from "../../src/lib/canonical-json.ts";
import { sha256 } from "../../src/lib/sha256.ts";
import { firingContract } from "../../src/ports/firing.contract.ts";
import type { FiringRequest } from "../../src/ports/firing.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakeFiring } from "./firing.ts";

firingContract("the simulated firing", async () => {
  const options = optionsFrom(1);
  const rates = { ...options.rates, actionUnsent: 0, actionUnknown: 0, actionKill: 0 };
  const world = new World(1, { ...options, projects: 1, rates });
  const texts = new Map<string, string>();
  const arrived: string[] = [];
  world.listeners.push((fact) => {
    if (fact.kind === "action-done") arrived.push(texts.get(fact.hash) ?? "another action");
  });
  return {
    firing: createFakeFiring(new Life(world, 1)),
    async become(outside) {
      rates.actionUnsent = outside === "absent" ? 1 : 0;
      rates.actionUnknown = outside === "refusing" || outside === "mute" ? 1 : 0;
    },
    action(text) {
      const action: FiringRequest["action"] = {
        kind: "webhook",
        endpoint: "https://example.org/",
        method: "POST",
        headers: {},
        body: text,
      };
      texts.set(sha256(canonicalJson(action)), text);
      return action;
    },
    arrived: async () => arrived,
    folder: "/sim/vault/v1",
    close: async () => undefined,
  };
});
